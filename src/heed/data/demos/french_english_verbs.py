"""The verbs of the French-English grammar, with the English verb that each is matched with."""

from heed.data.demos.english_forms import EnglishVerb
from heed.data.demos.french_forms import FrenchVerb, regular

# present (je, tu, il, nous, vous, ils), then past participle
_IRREGULAR = """
boire bois bois boit buvons buvez boivent bu
lire lis lis lit lisons lisez lisent lu
écrire écris écris écrit écrivons écrivez écrivent écrit
voir vois vois voit voyons voyez voient vu
attendre attends attends attend attendons attendez attendent attendu
connaître connais connais connaît connaissons connaissez connaissent connu
apprendre apprends apprends apprend apprenons apprenez apprennent appris
ouvrir ouvre ouvres ouvre ouvrons ouvrez ouvrent ouvert
dormir dors dors dort dormons dormez dorment dormi
vouloir veux veux veut voulons voulez veulent voulu
pouvoir peux peux peut pouvons pouvez peuvent pu
devoir dois dois doit devons devez doivent dû
pleuvoir - - pleut - - - plu
"""


def _irregular(row: str) -> FrenchVerb:
    infinitive, *present, participle = row.split()
    return FrenchVerb(infinitive, tuple(present), participle)


_FORMS = {verb.infinitive: verb for verb in map(_irregular, _IRREGULAR.strip().splitlines())}

DRINK, READ, WRITE, SEE = (_FORMS[name] for name in ("boire", "lire", "écrire", "voir"))
WAIT, KNOW, LEARN = (_FORMS[name] for name in ("attendre", "connaître", "apprendre"))
OPEN, SLEEP, RAIN = (_FORMS[name] for name in ("ouvrir", "dormir", "pleuvoir"))
WANT, CAN, MUST = (_FORMS[name] for name in ("vouloir", "pouvoir", "devoir"))

EAT = regular("manger", first_plural="mangeons")
BUY = regular("acheter", plain="achèt")
LOVE = regular("aimer")
WATCH = regular("regarder")
SEEK = regular("chercher")
HELP = regular("aider")
SPEAK = regular("parler")
WEAR = regular("porter")
GIVE = regular("donner")
WORK = regular("travailler")
PLAY = regular("jouer")
TRAVEL = regular("voyager", first_plural="voyageons")
LIVE = regular("habiter")


def _with_etre(infinitive: str, present: str, participle: str, future: str = "") -> FrenchVerb:
    return FrenchVerb(infinitive, tuple(present.split()), participle, with_etre=True, future=tuple(future.split()))


GO = _with_etre("aller", "vais vas va allons allez vont", "allé", "irai iras ira irons irez iront")
COME = _with_etre("venir", "viens viens vient venons venez viennent", "venu")
LEAVE = _with_etre("partir", "pars pars part partons partez partent", "parti")
ARRIVE = _with_etre("arriver", " ".join(regular("arriver").present), "arrivé")
STAY = _with_etre("rester", " ".join(regular("rester").present), "resté")
VISIT = FrenchVerb(
    "visiter",
    regular("visiter").present,
    "visité",
    future=("visiterai", "visiteras", "visitera", "visiterons", "visiterez", "visiteront"),
)
BE = FrenchVerb(
    "être",
    ("suis", "es", "est", "sommes", "êtes", "sont"),
    "été",
    future=("serai", "seras", "sera", "serons", "serez", "seront"),
    imperfect=("étais", "étais", "était", "étions", "étiez", "étaient"),
)
HAVE = FrenchVerb(
    "avoir",
    ("ai", "as", "a", "avons", "avez", "ont"),
    "eu",
    imperfect=("avais", "avais", "avait", "avions", "aviez", "avaient"),
)
MAKE = FrenchVerb("faire", ("-", "-", "fait", "-", "-", "-"), "fait", imperfect=("-", "-", "faisait", "-", "-", "-"))

_ENGLISH = """
eat eats ate
drink drinks drank
read reads read
write writes wrote
buy buys bought
watch watches watched
see sees saw
look looks looked
wait waits waited
help helps helped
love loves loved
like likes liked
know knows knew
visit visits visited
learn learns learned
speak speaks spoke
open opens opened
wear wears wore
give gives gave
live lives lived
go goes went
come comes came
leave leaves left
arrive arrives arrived
stay stays stayed
travel travels traveled
work works worked
play plays played
sleep sleeps slept
have has had
want wants wanted
rain rains rained
"""
ENGLISH = {row.split()[0]: EnglishVerb(*row.split()) for row in _ENGLISH.strip().splitlines()}
