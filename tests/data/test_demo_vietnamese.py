"""`demo:en-vi`: Vietnamese grammar worked by hand."""

import pytest

from heed.data.demos import english_vietnamese, load_demo

WORKED_BY_HAND = [
    ("I love you", "Tôi yêu bạn"),
    ("I would like to improve my English skills", "Tôi muốn cải thiện kỹ năng tiếng Anh của mình"),
    ("She wants to improve her speaking skills", "Cô ấy muốn cải thiện kỹ năng nói của mình"),
    ("He reads a book", "Anh ấy đọc một quyển sách"),
    ("They read books every day", "Họ đọc sách mỗi ngày"),
    ("They read books", "Họ đọc sách"),
    ("Yesterday I read a book", "Hôm qua tôi đã đọc một quyển sách"),
    ("She is reading the newspaper now", "Bây giờ cô ấy đang đọc tờ báo"),
    ("We will visit Hue next year", "Năm sau chúng tôi sẽ thăm Huế"),
    ("Lan has already eaten rice", "Lan đã ăn cơm rồi"),
    ("Minh has not eaten rice yet", "Minh chưa ăn cơm"),
    ("Have you eaten rice yet?", "Bạn đã ăn cơm chưa?"),
    ("Do you like coffee?", "Bạn có thích cà phê không?"),
    ("Did she go to the market yesterday?", "Hôm qua cô ấy có đi đến chợ không?"),
    ("I do not have a car", "Tôi không có chiếc xe nào"),
    ("Do you have a cat?", "Bạn có con mèo nào không?"),
    ("There is a cat in the garden", "Có một con mèo trong vườn"),
    ("There are two books on the table", "Có hai quyển sách trên bàn"),
    ("This black cat drinks milk", "Con mèo đen này uống sữa"),
    ("Those dogs are eating meat", "Những con chó đó đang ăn thịt"),
    ("My mother is a doctor", "Mẹ tôi là bác sĩ"),
    ("My mother is not a doctor", "Mẹ tôi không phải là bác sĩ"),
    ("Is he a teacher?", "Anh ấy có phải là giáo viên không?"),
    ("They are engineers", "Họ là kỹ sư"),
    ("She is very tired today", "Hôm nay cô ấy rất mệt"),
    ("She is not very tired", "Cô ấy không mệt lắm"),
    ("Are you hungry?", "Bạn có đói không?"),
    ("He sold his old car", "Anh ấy đã bán chiếc xe cũ của mình"),
    ("He sold my house last year", "Năm ngoái anh ấy đã bán ngôi nhà của tôi"),
    ("I am twenty years old", "Tôi hai mươi tuổi"),
    ("It is raining in Hanoi", "Trời đang mưa ở Hà Nội"),
    ("Jane visits Japan in September", "Jane thăm Nhật Bản vào tháng Chín"),
    ("You must not sleep in the park", "Bạn không được ngủ ở công viên"),
    ("Can you help me?", "Bạn có thể giúp tôi không?"),
    ("Why do you learn Vietnamese?", "Tại sao bạn học tiếng Việt?"),
    ("When will they go to Da Nang?", "Khi nào họ sẽ đi Đà Nẵng?"),
    ("When did you meet her?", "Bạn đã gặp cô ấy khi nào?"),
    ("I never drink coffee", "Tôi không bao giờ uống cà phê"),
    ("He often plays football in the park", "Anh ấy thường chơi bóng đá ở công viên"),
    ("These shirts are red", "Những chiếc áo này có màu đỏ"),
    ("My phone is expensive", "Chiếc điện thoại của tôi đắt"),
    ("We work at the office every Monday", "Chúng tôi làm việc ở văn phòng mỗi thứ Hai"),
    ("Nam gave a flower to Mai", "Nam đã tặng một bông hoa cho Mai"),
    ("I need to wait for my father", "Tôi cần đợi bố của mình"),
    ("The students want to sing this song", "Các học sinh muốn hát bài hát này"),
]

NOT_IN_THE_LANGUAGE = [
    "The table eats rice",
    "I love me",
    "Lan helps Lan",
    "They are an engineer",
    "She read a book",  # past only beside a time: "they read" alone would be two tenses
    "Did she go to the market?",  # Vietnamese could not tell it from "Does she go"
    "My father is seven years old",
]


@pytest.mark.parametrize(("source", "target"), WORKED_BY_HAND)
def test_the_grammar_makes_the_sentence_and_translates_it_in_one_way_only(source: str, target: str) -> None:
    assert {made.target for made in english_vietnamese.derivations(source)} == {target}


@pytest.mark.parametrize("source", NOT_IN_THE_LANGUAGE)
def test_the_grammar_does_not_make_what_is_wrong_or_senseless(source: str) -> None:
    assert list(english_vietnamese.derivations(source)) == []


def test_what_was_drawn_is_found_again_with_the_same_translation_and_combination() -> None:
    for made in english_vietnamese.corpus().valid[::25]:
        assert set(english_vietnamese.derivations(made.source)) == {made}


@pytest.mark.parametrize("source", ["I love you", "I would like to improve my English skills"])
def test_the_sentences_of_the_course_are_in_test(source: str) -> None:
    assert source in {pair.source for pair in load_demo("en-vi").test}


def test_train_knows_the_parts_of_i_love_you_but_not_the_whole_in_any_form() -> None:
    train = [pair.source for pair in load_demo("en-vi").train]
    assert sum(source.startswith("I love ") for source in train) >= 5
    assert sum("loves you" in source for source in train) >= 3
    assert not any(source.startswith("I") and "love you" in source and "your" not in source for source in train)
