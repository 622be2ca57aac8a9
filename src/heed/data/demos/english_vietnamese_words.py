"""The words of the English-Vietnamese grammar: nouns with their classifiers, adjectives, people, places and times."""

from dataclasses import dataclass

from heed.data.demos.english_forms import EnglishVerb


@dataclass(frozen=True, slots=True)
class Noun:
    """A noun on both sides; the classifier is empty for nouns that need none, such as professions."""

    english: str
    plural: str
    classifier: str
    vietnamese: str
    several: str = "những"  # the word for the plural; "các" for people by their profession


def _nouns(table: str, several: str = "những") -> tuple[Noun, ...]:
    rows = ([column.strip() for column in line.split("|")] for line in table.strip().splitlines())
    return tuple(Noun(row[0], row[1], row[2], row[3], several) for row in rows)


def _pairs(table: str) -> tuple[tuple[str, str], ...]:
    rows = (line.split("|") for line in table.strip().splitlines())
    return tuple((english.strip(), vietnamese.strip()) for english, vietnamese in rows)


READINGS = _nouns("""
book | books | quyển | sách
newspaper | newspapers | tờ | báo
letter | letters | lá | thư
""")
FRUIT = _nouns("""
apple | apples | quả | táo
orange | oranges | quả | cam
egg | eggs | quả | trứng
cake | cakes | chiếc | bánh
""")
CUPS = _nouns("""
cup of coffee | cups of coffee | cốc | cà phê
cup of tea | cups of tea | cốc | trà
""")
GOODS = _nouns("""
phone | phones | chiếc | điện thoại
bag | bags | cái | túi
pen | pens | cây | bút
hat | hats | chiếc | mũ
flower | flowers | bông | hoa
picture | pictures | bức | tranh
chair | chairs | cái | ghế
""")
ESTATE = _nouns("""
car | cars | chiếc | xe
bicycle | bicycles | chiếc | xe đạp
house | houses | ngôi | nhà
table | tables | cái | bàn
""")
CLOTHES = _nouns("""
shirt | shirts | chiếc | áo
dress | dresses | chiếc | váy
""")
MOVIES = _nouns("movie | movies | bộ | phim")
SONGS = _nouns("song | songs | bài | hát")
ANIMALS = _nouns("""
cat | cats | con | mèo
dog | dogs | con | chó
bird | birds | con | chim
monkey | monkeys | con | khỉ
""")
PEOPLE = _nouns("""
man | men | người | đàn ông
woman | women | người | phụ nữ
child | children | đứa | trẻ
""")
PROFESSIONS = _nouns(
    """
teacher | teachers | | giáo viên
student | students | | học sinh
doctor | doctors | | bác sĩ
nurse | nurses | | y tá
engineer | engineers | | kỹ sư
""",
    several="các",
)

MASS_FOOD = _pairs("""
rice | cơm
bread | bánh mì
meat | thịt
fish | cá
soup | canh
""")
DRINKS = _pairs("""
water | nước
tea | trà
coffee | cà phê
milk | sữa
""")
FAMILY = _pairs("""
mother | mẹ
father | bố
older brother | anh trai
younger sister | em gái
grandmother | bà
""")
LANGUAGES = _pairs("""
English | tiếng Anh
Vietnamese | tiếng Việt
French | tiếng Pháp
Japanese | tiếng Nhật
Chinese | tiếng Trung
""")
SKILLS = (
    *((f"{english} skills", f"kỹ năng {vietnamese}") for english, vietnamese in LANGUAGES),
    *_pairs("""
writing skills | kỹ năng viết
reading skills | kỹ năng đọc
speaking skills | kỹ năng nói
listening skills | kỹ năng nghe
"""),
)
GAMES = _pairs("""
football | bóng đá
badminton | cầu lông
chess | cờ
the piano | đàn piano
the guitar | đàn ghi ta
""")
MEALS = _pairs("""
breakfast | bữa sáng
lunch | bữa trưa
dinner | bữa tối
""")

NAMES = ("Lan", "Minh", "Mai", "Nam", "Hoa", "Peter", "Anna", "Jane")
WOMEN = frozenset({"Lan", "Mai", "Hoa", "Anna", "Jane"})

COLOURS = _pairs("""
black | đen
white | trắng
red | đỏ
yellow | vàng
""")
LOOKS = _pairs("""
big | to
small | nhỏ
beautiful | đẹp
""")
WORTH = _pairs("""
new | mới
old | cũ
expensive | đắt
cheap | rẻ
""")
INTEREST = _pairs("""
new | mới
long | dài
interesting | thú vị
""")
MOODS = _pairs("""
tired | mệt
happy | vui
sad | buồn
busy | bận
sick | ốm
hungry | đói
""")
TRAITS = _pairs("""
tall | cao
rich | giàu
kind | tốt bụng
intelligent | thông minh
famous | nổi tiếng
""")
WEATHER = _pairs("""
hot | nóng
cold | lạnh
cool | mát
""")

LANDS = _pairs("""
Hanoi | Hà Nội
Hue | Huế
Da Nang | Đà Nẵng
Saigon | Sài Gòn
Vietnam | Việt Nam
Japan | Nhật Bản
China | Trung Quốc
France | Pháp
England | Anh
America | Mỹ
""")
# English with its preposition for being there; "to" takes the place of that preposition for going there.
BUILDINGS = (
    ("at", "the market", "chợ"),
    ("at", "the school", "trường"),
    ("at", "the hospital", "bệnh viện"),
    ("in", "the park", "công viên"),
    ("in", "the library", "thư viện"),
    ("at", "the restaurant", "nhà hàng"),
    ("at", "the station", "nhà ga"),
    ("at", "the office", "văn phòng"),
)
HOME = ("at home", "ở nhà")
WORKPLACES = tuple(place for place in BUILDINGS if place[2] != "công viên")
STUDY_PLACES = tuple(place for place in BUILDINGS if place[2] in ("trường", "thư viện", "công viên", "văn phòng"))
SLEEPING_PLACES = tuple(place for place in BUILDINGS if place[2] in ("bệnh viện", "công viên", "nhà ga", "văn phòng"))
CONTAINERS = _pairs("""
on the table | trên bàn
in the bag | trong túi
in the house | trong nhà
""")
OUTSIDE = _pairs("""
in the garden | trong vườn
in the park | trong công viên
under the tree | dưới cây
""")
NUMBERS = _pairs("""
five | năm
six | sáu
seven | bảy
eight | tám
nine | chín
ten | mười
twenty | hai mươi
thirty | ba mươi
""")
ADVERBS = _pairs("""
often | thường
always | luôn
sometimes | thỉnh thoảng
rarely | hiếm khi
also | cũng
still | vẫn
""")
ALSO_STILL = ADVERBS[4:]  # what suits a state


@dataclass(frozen=True, slots=True)
class Time:
    """A time on both sides; Vietnamese puts some before the subject, where English may do so too."""

    english: str
    vietnamese: str
    opens: bool


NO_TIME = Time("", "", opens=False)


def _opening(table: str) -> tuple[Time, ...]:
    return tuple(Time(english, vietnamese, opens=True) for english, vietnamese in _pairs(table))


def _closing(rows: tuple[tuple[str, str], ...]) -> tuple[Time, ...]:
    return tuple(Time(english, vietnamese, opens=False) for english, vietnamese in rows)


_MONTHS = tuple(
    (f"in {english}", f"vào tháng {vietnamese}")
    for english, vietnamese in _pairs("""
January | Một
February | Hai
March | Ba
April | Tư
May | Năm
June | Sáu
July | Bảy
August | Tám
September | Chín
October | Mười
November | Mười Một
December | Mười Hai
""")
)
_DAYS = _pairs("""
Monday | thứ Hai
Tuesday | thứ Ba
Wednesday | thứ Tư
Thursday | thứ Năm
Friday | thứ Sáu
Saturday | thứ Bảy
Sunday | Chủ nhật
""")
_SEASONS = _pairs("""
in the summer | vào mùa hè
in the winter | vào mùa đông
""")
_DAYTIMES = _pairs("""
in the morning | vào buổi sáng
in the evening | vào buổi tối
""")
_HOURS = tuple((f"at {english} o'clock", f"lúc {vietnamese} giờ") for english, vietnamese in NUMBERS[:6])
_ON_DAYS = tuple((f"on {english}", f"vào {vietnamese}") for english, vietnamese in _DAYS)
_EVERY = (
    *((f"every {english}", f"mỗi {vietnamese}") for english, vietnamese in _DAYS),
    ("every day", "mỗi ngày"),
    ("every morning", "mỗi sáng"),
    ("every week", "mỗi tuần"),
)
_YESTERDAY = _opening("""
yesterday | hôm qua
last night | tối qua
this morning | sáng nay
last week | tuần trước
two days ago | hai ngày trước
""")
_TOMORROW = _opening("""
tomorrow | ngày mai
tomorrow morning | sáng mai
tonight | tối nay
next week | tuần sau
""")
_LAST_YEAR = _opening("""
last month | tháng trước
last year | năm ngoái
""")
_NEXT_YEAR = _opening("""
next month | tháng sau
next year | năm sau
""")

# (how long the act takes, when it is) -> the times that suit it
TIMES: dict[tuple[str, str], tuple[Time, ...]] = {
    ("hour", "present"): _closing((*_EVERY, *_DAYTIMES, *_HOURS)),
    ("hour", "habit"): _closing((*_DAYTIMES, *_EVERY[-2:])),
    ("hour", "now"): _opening("now | bây giờ"),
    ("hour", "past"): (*_YESTERDAY, *_closing(_ON_DAYS[:6])),
    ("hour", "coming"): (*_TOMORROW, *_closing((*_ON_DAYS, *_HOURS))),
    ("day", "present"): _opening("today | hôm nay"),
    ("day", "past"): tuple(time for time in _YESTERDAY if time.english != "last week"),
    ("day", "coming"): _TOMORROW,
    ("season", "present"): _closing((*_MONTHS, *_SEASONS, ("every year", "mỗi năm"))),
    ("season", "habit"): _closing((*_MONTHS, *_SEASONS)),
    ("season", "now"): _opening("now | bây giờ"),
    ("season", "past"): (*_LAST_YEAR, *_YESTERDAY[3:4], *_closing((*_MONTHS, *_SEASONS))),
    ("season", "coming"): (*_NEXT_YEAR, *_TOMORROW[3:], *_closing((*_MONTHS, *_SEASONS))),
}

_VERBS = """
eat eats ate eaten eating
drink drinks drank drunk drinking
read reads read read reading
write writes wrote written writing
buy buys bought bought buying
sell sells sold sold selling
wear wears wore worn wearing
watch watches watched watched watching
sing sings sang sung singing
cook cooks cooked cooked cooking
give gives gave given giving
love loves loved loved loving
like likes liked liked liking
help helps helped helped helping
meet meets met met meeting
wait waits waited waited waiting
miss misses missed missed missing
know knows knew known knowing
see sees saw seen seeing
visit visits visited visited visiting
go goes went gone going
live lives lived lived living
travel travels traveled traveled traveling
work works worked worked working
study studies studied studied studying
learn learns learned learned learning
teach teaches taught taught teaching
speak speaks spoke spoken speaking
play plays played played playing
sleep sleeps slept slept sleeping
improve improves improved improved improving
become becomes became become becoming
have has had had having
want wants wanted wanted wanting
need needs needed needed needing
rain rains rained rained raining
"""
VERBS = {row.split()[0]: EnglishVerb(*row.split()) for row in _VERBS.strip().splitlines()}
