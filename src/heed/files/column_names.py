"""The names by which a first row is known to be a header: roles of a column, and languages by code or English name."""

ROLES = """
    source target src tgt trg input output prompt response question answer context text label class category sentence
    sentence1 sentence2 text1 text2 original translation reference hypothesis premise document summary title article
    id index score license attribution quality comment split lang language
"""

# ISO 639-1.
LANGUAGE_CODES = """
    aa ab ae af ak am an ar as av ay az ba be bg bh bi bm bn bo br bs ca ce ch co cr cs cu cv cy da de dv dz ee el en eo
    es et eu fa ff fi fj fo fr fy ga gd gl gn gu gv ha he hi ho hr ht hu hy hz ia id ie ig ii ik io is it iu ja jv ka kg
    ki kj kk kl km kn ko kr ks ku kv kw ky la lb lg li ln lo lt lu lv mg mh mi mk ml mn mr ms mt my na nb nd ne ng nl nn
    no nr nv ny oc oj om or os pa pi pl ps pt qu rm rn ro ru rw sa sc sd se sg si sk sl sm sn so sq sr ss st su sv sw ta
    te tg th ti tk tl tn to tr ts tt tw ty ug uk ur uz ve vi vo wa wo xh yi yo za zh zu
"""

# The commoner three-letter codes (ISO 639-3) and English names.
LANGUAGE_NAMES = """
    ara ben bul cat ces cmn dan deu ell eng est eus fas fin fra fre gle heb hin hrv hun ind isl ita jpn kaz khm kor lao
    lat lav lit mal mar mkd mlt mya nep nld nob nor pan pol por ron rus slk slv som spa sqi srp swa swe tam tel tgl tha
    tur ukr urd uzb vie yor zho zul
    arabic bengali bulgarian burmese catalan chinese croatian czech danish dutch english estonian finnish french german
    greek hebrew hindi hungarian icelandic indonesian irish italian japanese khmer korean lao latin latvian lithuanian
    malay nepali norwegian persian polish portuguese romanian russian serbian slovak slovenian somali spanish swahili
    swedish tamil telugu thai turkish ukrainian urdu vietnamese welsh yoruba zulu
"""

KNOWN_LANGUAGES = frozenset(LANGUAGE_CODES.split() + LANGUAGE_NAMES.split())
KNOWN_NAMES = KNOWN_LANGUAGES | frozenset(ROLES.split())


def is_column_name(field: str) -> bool:
    """Tell whether the field is a known column name, in any case; a language may carry a region ("pt-BR", "en_US")."""
    name = field.strip().lower()
    code, _, region = name.replace("_", "-").partition("-")
    if region:
        return code in KNOWN_LANGUAGES and region.isalpha() and 2 <= len(region) <= 4
    return name in KNOWN_NAMES
