"""The Vietnamese of `demo:reviews-vi`."""

from heed.data.demos.reviews_words import Language, Thing, judging_of, things_of

_THINGS = things_of("""
dish | phở, bún chả, cơm tấm, bánh xèo, bún bò, gà nướng, cá kho, mì xào, nem rán, bánh cuốn, vịt quay, canh chua, lẩu
sweet | chè, kem, bánh flan, bánh ngọt, sữa chua
drink | cà phê, trà sữa, sinh tố, nước mía, trà gừng
person | nhân viên phục vụ, chị thu ngân, chủ quán, cô lễ tân, chú bảo vệ, anh quản lý, anh đầu bếp, người giao hàng
room | phòng ngủ, sảnh, sân thượng, khu vườn, ban công, phòng ăn, quầy bar, phòng khách
wash | phòng tắm, nhà vệ sinh, bồn tắm, hồ bơi
seat | giường, ghế, nệm, gối, ghế sô pha
price | giá cả, giá phòng, giá đồ uống, giá món ăn
service | cách phục vụ, dịch vụ phòng, khâu giao hàng, khâu nhận phòng
mood | âm nhạc, không khí, ánh sáng, cách trang trí
view | khung cảnh, vị trí, bãi biển, khu phố
""")

_NEUTRAL = """
bình thường., tạm được., tàm tạm., cũng được., ở mức trung bình., không có gì đặc biệt., không có gì nổi bật.,
chẳng có gì đáng nói.
""".replace("\n", " ")

_JUDGING = judging_of(
    """
dish + ngon, thơm, đậm đà, vừa miệng, tuyệt vời!, hấp dẫn, ngon tuyệt.
dish - dở, nhạt, mặn, ngấy, khó nuốt, tệ!, nguội ngắt.
sweet + ngon, thơm, vừa miệng, hấp dẫn, tuyệt vời!, ngon tuyệt.
sweet - dở, ngấy, khó nuốt, nhạt, tệ!, ngọt gắt.
drink + ngon, thơm, đậm đà, vừa miệng, tuyệt vời!, ngon tuyệt.
drink - dở, nhạt, khó uống, tệ!, đắng nghét.
person + thân thiện, nhiệt tình, lịch sự, chu đáo, vui vẻ, tận tâm, tuyệt vời!
person - thô lỗ, chậm chạp, cẩu thả, lười biếng, kiêu căng, cáu kỉnh, tệ!
room + sạch sẽ, thoáng mát, ấm cúng, gọn gàng, đẹp, dễ chịu, tuyệt vời!
room - bẩn, chật chội, bừa bộn, ẩm mốc, bụi bặm, hôi, tệ!
wash + sạch sẽ, đẹp, gọn gàng, tuyệt vời!
wash - bẩn, hôi, cũ kỹ, nhếch nhác, tệ!
seat + êm, sạch sẽ, thoải mái, dễ chịu, tuyệt vời!
seat - bẩn, cứng, cũ kỹ, khó chịu, hôi, tệ!
price + hợp lý, phải chăng, rẻ, dễ chịu
price - đắt, cao, vô lý, khó chấp nhận, trên trời.
service + tốt, nhanh chóng, chu đáo, chuyên nghiệp, tuyệt vời!
service - kém, chậm chạp, lộn xộn, cẩu thả, tệ!
mood + dễ chịu, lãng mạn, cuốn hút, ấn tượng, tuyệt vời!
mood - khó chịu, buồn tẻ, nhàm chán, đáng thất vọng, tệ!
view + đẹp, ấn tượng, lý tưởng, dễ chịu, tuyệt vời!
view - xấu, chán, đáng thất vọng, tệ!
""",
    _NEUTRAL,
)

_DAYS = ("thứ Hai", "thứ Ba", "thứ Tư", "thứ Năm", "thứ Sáu", "thứ Bảy", "Chủ nhật")
_COMPANY = ("em gái tôi", "bố mẹ tôi", "hai người bạn", "một đồng nghiệp", "mấy đứa nhỏ", "chồng tôi", "chị hàng xóm")
_DISTANCES = ("nhà ga", "chợ", "cây cầu cũ", "bảo tàng", "trường đại học", "bến cảng", "công viên")
_COLOURS = ("xanh", "trắng", "vàng", "xám", "đỏ", "nâu")
_NUMBERS = ("bốn", "sáu", "mười", "mười hai", "hai mươi", "ba mươi")
_REMARKS = ("rất tệ", "tuyệt vời", "rất dở", "rất hay", "khá chán", "đáng thất vọng", "rất ấn tượng")
_WEATHER = ("rất đẹp", "rất xấu", "tuyệt vời", "rất tệ", "dễ chịu", "khó chịu")


def _clause(thing: Thing, said: str) -> str:
    return f"{thing.text} {said}"


def _it_is(thing: Thing, said: str) -> str:
    return said


def _to_be(thing: Thing, said: str) -> str:
    return f"{thing.text} sẽ {said}"


def _question(thing: Thing, said: str) -> str:
    return f"{thing.text} có {said} không?"


LANGUAGE = Language(
    seed="heed reviews-vi 1",
    things=_THINGS,
    judging=_JUDGING,
    degrees={
        "scale": ("rất {}", "{} lắm", "thật sự {}", "khá {}", "{} vô cùng"),
        "extreme": ("thật {}", "quá {}", "thật sự {}"),
        "none": (),
    },
    denials=("không {} chút nào", "chẳng {} tí nào", "không hề {}", "đâu có {}", "không {} như người ta nói"),
    outer_denials=(
        "không ai có thể bảo {clause}",
        "nói rằng {clause} là không đúng",
        "đừng ai bảo tôi là {clause}",
        "tôi không đồng ý rằng {clause}",
    ),
    neithers=("không {} cũng không {}", "chẳng {} mà cũng chẳng {}", "không hẳn {}, cũng không hẳn {}"),
    additions=("{first} và {last}", "{first}, ngoài ra {last}", "{first}, hơn nữa {last}"),
    contrasts=(
        "{first} nhưng {last}",
        "tuy {first} nhưng {last}",
        "mặc dù {first} nhưng {last}",
        "{first}, thế nhưng {last}",
        "{first}, nhưng quan trọng hơn là {last}",
    ),
    mixtures=("{first}, còn {thing} thì {also}", "{first} và {last}", "{first}, trong khi {last}"),
    turns=(
        "{holder} bảo {clause} nhưng tôi thấy {it_is}",
        "tôi tưởng {to_be}, ai ngờ {it_is}",
        "lần trước {clause}, lần này thì {it_is}",
        "trên mạng viết rằng {clause}, thực ra {it_is}",
        "lúc đầu tôi nghĩ {clause} nhưng hóa ra {it_is}",
    ),
    holders=("bạn tôi", "anh trai tôi", "hướng dẫn viên", "chị hàng xóm", "sếp tôi", "bác tài xế"),
    affirming=("Đúng là như vậy.", "Có chứ.", "Quả thật là có.", "Có đấy."),
    denying=("Không hề.", "Hoàn toàn không.", "Chẳng chút nào.", "Không, ngược lại là khác."),
    verdicts={
        "positive": (
            "Nói chung tôi sẽ quay lại.",
            "Tóm lại là đáng tiền.",
            "Nhìn chung chúng tôi hài lòng.",
            "Có nên đến không? Có.",
        ),
        "negative": (
            "Nói chung tôi sẽ không quay lại.",
            "Tóm lại là không đáng tiền.",
            "Nhìn chung chúng tôi không hài lòng.",
            "Có nên đến không? Không.",
        ),
        "neutral": (
            "Nói chung cũng như mọi nơi.",
            "Tóm lại là tôi không có ý kiến.",
            "Nhìn chung hai điều đó bù trừ cho nhau.",
            "Có nên đến không? Tùy bạn.",
        ),
    },
    details=(
        "chúng tôi đến vào {day} cùng {company}",
        "tôi đi cùng {company}",
        "chỗ này nằm gần {place}",
        "từ {place} đi bộ mất {number} phút",
        "tường sơn màu {colour} và có {number} cái bàn",
        "chúng tôi đã đặt chỗ cho {number} người",
        "ở đây mở cửa lúc mười giờ và nghỉ {day}",
        "hôm đó thời tiết {weather}",
        "bộ phim chúng tôi xem trước đó {remark}",
        "hôm ấy ở cơ quan tôi có một ngày {day_remark}",
        "trên tàu, {company} đọc một cuốn sách {remark}",
        "thực đơn in trên giấy màu {colour}",
        "trước cửa có một tấm biển màu {colour}",
        "chúng tôi trả bằng thẻ rồi đi xe buýt đến {place}",
    ),
    slots={
        "day": _DAYS,
        "company": _COMPANY,
        "place": _DISTANCES,
        "colour": _COLOURS,
        "number": _NUMBERS,
        "remark": _REMARKS,
        "day_remark": ("tuyệt vời", "rất tệ", "dễ chịu", "khó chịu", "đáng thất vọng"),
        "weather": _WEATHER,
    },
    clause=_clause,
    it_is=_it_is,
    to_be=_to_be,
    question=_question,
)
