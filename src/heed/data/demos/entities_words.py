"""The words of `demo:entities`: parts of made-up names, and sentences with places for them.

A sentence is written as words with one space between, as corpora of tagged words are; {person}, {place},
{organisation} and {date} are entities, other slots are plain words.
"""


def _words(row: str) -> tuple[str, ...]:
    return tuple(row.split())


def _lines(table: str) -> tuple[str, ...]:
    return tuple(line.strip() for line in table.strip().splitlines())


# A name is two or three of these. Persons, places and organisations draw from the same names.
BEGINNINGS = _words("Al Ber Cor Dal El Fen Gar Hal Is Jor Kel Lor Mar Nor Or Per Quin Ros Sel Tor Ul Ver Wil Zan")
MIDDLES = _words("a be di go la mi ne ro sa tu va")
ENDS = _words("bek dan dor fin gar ham kin ler mont nor rick sen ston tal ver wick wood zar")

FIRST_NAMES = _words("Anna Ben Clara David Emma Frank Grace Henry Ines Jonas Kim Laura Martin Nina Oscar Paula")
TITLES = ("Mr.", "Mrs.", "Dr.", "Professor", "Captain", "Judge")  # not a part of the entity
# {} is the name.
PERSONS = ("{}", "{first} {}", "{first} {}", "{first} {letter}. {}")
PLACES = ("{}", "{}", "{}", "North {}", "Lake {}", "Port {}", "{} Bay")
ORGANISATIONS = ("{}", "{}", "{}", "{} Bank", "{} & Sons", "{} Airlines", "University of {}", "{} United")

MONTHS = _words("January February March April May June July August September October November December")
WEEKDAYS = _words("Monday Tuesday Wednesday Thursday Friday Saturday Sunday")
# What the words around them call dates; {year} and {count} look alike and only the sentence tells them apart.
DATES_ON = ("{weekday}", "{day} {month}", "{day} {month} {year}", "{month} {day} , {year}")
DATES_IN = ("{month}", "{year}", "{month} {year}")

CLAUSES = _lines(
    """
    {person} was born in {place}
    {person} , a {trade} from {place} , won the prize
    {title} {person} spoke to the students
    the {trade} {person} moved to {place}
    {person} married {person}
    {person} and {person} walked along the river
    a letter from {title} {person} was found
    the painting shows {person} as a child
    {person} told her brother that she was tired
    his sister {person} plays the violin
    according to {person} , the bridge is safe
    the road to {place} is closed
    heavy rain fell over {place}
    the mayor of {place} opened the museum
    thousands of people live in {place}
    the train from {place} to {place} was late
    the museum in {place} is closed
    we drove through {place} and saw {count} sheep
    the weather in {place} was cold
    tourists visit {place} for its beaches
    shares of {organisation} fell by {count} percent
    {organisation} hired {count} engineers
    she works for {organisation}
    {organisation} will build a factory near {place}
    {organisation} bought {organisation} for {count} million dollars
    the chairman of {organisation} resigned
    customers of {organisation} lost their money
    {person} joined {organisation} as a {trade}
    {person} left {organisation} after {count} years
    {organisation} reported a loss of {count} million dollars
    the {trade} sued {organisation}
    profits at {organisation} rose
    {title} {person} of {organisation} declined to comment
    {organisation} moved its head office to {place}
    {count} workers of {organisation} went on strike in {place}
    {person} flew to {place} with {title} {person}
    I met {person} at a party in {place}
    may I speak to {title} {person} ?
    The Board met {person} in private
    """
)
TAILS = ("on {date_on}", "in {date_in}", "since {date_in}", "until {date_on}", "last week", "in the morning", "again")
OPENINGS = ("on {date_on} ,", "in {date_in} ,", "Yesterday", "Last Summer", "However ,", "The Director said that")

TRADES = _words("baker dentist farmer lawyer painter pilot poet singer surgeon tailor teacher writer")
