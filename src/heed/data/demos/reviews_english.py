"""The English of `demo:reviews`."""

from heed.data.demos.reviews_words import Language, Thing, judging_of, things_of

_THINGS = things_of("""
dish | soup, fish, rice, steak, curry, pizza, chicken, omelette, lasagne, noodles*, dumplings*, prawns*, pancakes*
sweet | cake, pudding, ice cream, apple pie, chocolate mousse, biscuits*
drink | coffee, wine, lemonade, green tea, cocktails*
person | waiter, waitress, cook, manager, receptionist, bartender, owner, porter, cleaners*, people at the desk*
room | bedroom, bathroom, lobby, terrace, garden, balcony, dining room, hall, courtyard, corridor
seat | bed, sofa, armchair, chairs*, pillows*
price | bill, room rate, prices*, fees*
service | service, room service, delivery, check-in
mood | music, atmosphere, lighting, decoration
view | view, beach, neighbourhood, location
""")

_NEUTRAL = """
okay., average., ordinary., so-so., nothing special., nothing out of the ordinary., as one would expect., acceptable.
"""

_JUDGING = judging_of(
    """
dish + good, tasty, fresh, delicious!, wonderful!, excellent!, full of flavour.
dish - bad, bland, greasy, cold, awful!, terrible!, tasteless.
sweet + good, tasty, light, delicious!, wonderful!, excellent!
sweet - bad, dry, stale, boring, awful!, terrible!
drink + good, refreshing, tasty, wonderful!, excellent!, superb!
drink - bad, weak, sour, awful!, terrible!, undrinkable.
person + friendly, kind, helpful, polite, attentive, wonderful!, a delight.
person - rude, slow, careless, unfriendly, lazy, awful!, a disgrace.
room + clean, tidy, cosy, pleasant, lovely!, spotless!, beautiful!
room - dirty, noisy, cramped, shabby, dusty, filthy!, awful!
seat + comfortable, clean, soft, lovely!, wonderful!
seat - uncomfortable, dirty, worn, terrible!, awful!
price + fair, reasonable, honest, low, excellent!
price - high, unfair, unreasonable, outrageous!, shocking!
service + good, fast, smooth, reliable, excellent!, superb!
service - bad, slow, careless, chaotic, terrible!, a disgrace.
mood + pleasant, charming, relaxing, wonderful!, lovely!
mood - unpleasant, boring, depressing, annoying, awful!
view + pleasant, charming, impressive, beautiful!, wonderful!
view - dull, ugly, disappointing, dreary, terrible!
""",
    _NEUTRAL,
)

_WOMEN = frozenset({"waitress", "receptionist", "manager", "owner"})
_DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_COMPANY = ("my sister", "two friends", "my parents", "a colleague", "the children", "my husband", "our neighbours")
_DISTANCES = ("the station", "the market", "the old bridge", "the museum", "the university", "the harbour", "the park")
_COLOURS = ("blue", "green", "white", "yellow", "grey", "red")
_NUMBERS = ("four", "six", "ten", "twelve", "twenty", "thirty")
_REMARKS = ("awful", "wonderful", "terrible", "lovely", "bad", "good", "dreary", "beautiful")


def _past(thing: Thing) -> str:
    return "were" if thing.is_many else "was"


def _clause(thing: Thing, said: str) -> str:
    return f"the {thing.text} {_past(thing)} {said}"


def _it_is(thing: Thing, said: str) -> str:
    if thing.kind == "person" and not thing.is_many:
        return f"{'she' if thing.text in _WOMEN else 'he'} was {said}"
    return f"they were {said}" if thing.is_many else f"it was {said}"


def _to_be(thing: Thing, said: str) -> str:
    return f"the {thing.text} to be {said}"


def _question(thing: Thing, said: str) -> str:
    return f"{_past(thing)} the {thing.text} {said}?"


LANGUAGE = Language(
    seed="heed reviews 1",
    things=_THINGS,
    judging=_JUDGING,
    degrees={
        "scale": ("very {}", "really {}", "rather {}", "so {}"),
        "extreme": ("absolutely {}", "simply {}", "truly {}"),
        "none": (),
    },
    denials=("not {} at all", "anything but {}", "far from {}", "not as {} as people say", "by no means {}"),
    outer_denials=(
        "nobody could say that {clause}",
        "it is not true that {clause}",
        "no one would call the {thing} {word}",
        "I cannot agree that {clause}",
    ),
    neithers=("neither {} nor {}", "not {}, but not {} either", "not exactly {} and not exactly {}"),
    additions=("{first} and {last}", "{first}, and {last} too", "{first}; what is more, {last}"),
    contrasts=(
        "{first}, but {last}",
        "although {first}, {last}",
        "{first}, yet {last}",
        "{first}; in the end, however, {last}",
        "even if {first}, {last}, and that is what counts",
    ),
    mixtures=("{first} and {last}", "{first}; {last}", "{first} while {last}"),
    turns=(
        "{holder} had told me that {clause}, but {it_is}",
        "I had expected {to_be}, but {it_is}",
        "last year {clause}, this time {it_is}",
        "people write that {clause}; well, {it_is}",
        "at first I thought that {clause}, but {it_is}",
    ),
    holders=("a friend", "my brother", "our guide", "a neighbour", "my boss", "the taxi driver"),
    affirming=("Yes, it is true.", "Oh yes.", "Indeed.", "That is how we found it."),
    denying=("Not at all.", "Far from it.", "Not in the least.", "No, quite the opposite."),
    verdicts={
        "positive": (
            "All in all we will come back.",
            "In the end I would recommend it.",
            "On the whole we were satisfied.",
            "Would I do it again? Yes.",
        ),
        "negative": (
            "All in all we will not come back.",
            "In the end I would not recommend it.",
            "On the whole we were not satisfied.",
            "Would I do it again? No.",
        ),
        "neutral": (
            "All in all it was a stay like any other.",
            "In the end I have no opinion.",
            "On the whole the two cancel out.",
            "Would I do it again? Perhaps.",
        ),
    },
    details=(
        "we came on a {day} with {company}",
        "I was there with {company}",
        "the house stands near {place}",
        "from {place} one walks {number} minutes",
        "the walls are {colour} and there are {number} tables",
        "we had booked for {number} people",
        "it opens at ten and closes on {day}s",
        "the weather was {remark} that {day}",
        "the film that we had seen before was {remark}",
        "I had had {a_remark} day at work",
        "{company} had read {a_remark} book on the train",
        "the menu is printed on {colour} paper",
        "there is a {colour} sign above the door",
        "we paid by card and took the bus to {place}",
    ),
    slots={
        "day": _DAYS,
        "company": _COMPANY,
        "place": _DISTANCES,
        "colour": _COLOURS,
        "number": _NUMBERS,
        "remark": _REMARKS,
        "a_remark": ("an awful", "a wonderful", "a terrible", "a lovely", "a bad", "a good", "a dreary", "a beautiful"),
    },
    clause=_clause,
    it_is=_it_is,
    to_be=_to_be,
    question=_question,
)
