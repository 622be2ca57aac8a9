"""Laws of read_labelled: columns are found, what is empty is counted, and what cannot be labels is refused."""

import gzip
from pathlib import Path

import pytest

from heed.data import labelled_columns
from heed.data.labelled import read_labelled
from heed.data.records import LabelledText
from heed.errors import DataError, UsageError

SHARED = Path(__file__).parents[3] / "shared" / "data"


def written(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.write_bytes(text.encode())
    return path


def said_of(path: Path, columns: tuple[str, ...] | None = None, texts: int = 1) -> list[tuple[str, ...]]:
    return [(*record.texts, record.label) for record in read_labelled([path], columns, texts).records]


def test_a_table_gives_the_same_records_in_every_format(tmp_path: Path) -> None:
    texts = {
        "a.csv": 'id,label,sentence\n7,pos,"good, really"\n8,neg,bad\n',
        "a.tsv": "sentence\tlabel\ngood, really\tpos\nbad\tneg\n",
        "a.jsonl": '{"label": "pos", "sentence": "good, really"}\n{"sentence": "bad", "label": "neg"}\n',
        "b.tsv": "good, really\tpos\nbad\tneg\n",
    }
    paths = [written(tmp_path, name, text) for name, text in texts.items()]
    packed = tmp_path / "c.csv.gz"
    packed.write_bytes(gzip.compress(texts["a.csv"].encode()))
    for path in [*paths, packed]:
        assert said_of(path) == [("good, really", "pos"), ("bad", "neg")]


def test_records_tell_their_place_and_the_file_its_columns(tmp_path: Path) -> None:
    path = written(tmp_path, "a.csv", 'text,label\n"two\nlines",a\nb,c\n')
    file = read_labelled([path])
    assert file.records == (LabelledText(("two\nlines",), "a", f"{path}:2"), LabelledText(("b",), "c", f"{path}:4"))
    assert file.columns == f"columns text → label from the header of {path}"


@pytest.mark.parametrize(
    "header",
    [
        *("text,label", "label,text", "Review,Sentiment", "sentence,class", "content,category", "comment,target"),
        *("Tweet,Emotion", "en,label", "label,en"),
    ],
)
def test_usual_names_are_found_in_any_case_and_order(tmp_path: Path, header: str) -> None:
    first = header.split(",")[0].lower()
    row = "x,a word or two" if first in ("label", "class", "category") else "a word or two,x"
    assert said_of(written(tmp_path, "a.csv", f"{header}\n{row}\n")) == [("a word or two", "x")]


@pytest.mark.parametrize(
    "header",
    [
        *(
            "sentence1,sentence2,label",
            "text1,text2,label",
            "premise,hypothesis,gold_label",
            "Sentence_A,Sentence_B,Label",
        ),
        *(
            "question1,question2,is_duplicate",
            "#1 String,#2 String,Quality",
            "#1 string,#2 STRING,quality",
            "s1,s2,score",
            "first,second,similarity",
        ),
    ],
)
def test_usual_names_of_pairs_are_found_beside_other_columns(tmp_path: Path, header: str) -> None:
    path = written(tmp_path, "a.csv", f"pair,{header}\n1,a,b,c\n")
    assert said_of(path, texts=2) == [("a", "b", "c")]


def test_the_columns_asked_for_are_taken_in_that_order(tmp_path: Path) -> None:
    path = written(tmp_path, "a.csv", "text,label,mood,title\na,b,c,d\n")
    assert said_of(path, ("title", "mood")) == [("d", "c")]
    assert said_of(path, ("title", "text", "mood"), texts=2) == [("d", "a", "c")]
    assert said_of(written(tmp_path, "b.tsv", "1\ta\tx\n2\tb\ty\n"), ("3", "1")) == [("x", "1"), ("y", "2")]


def test_labels_of_json_are_one_text_whatever_their_kind(tmp_path: Path) -> None:
    values = ['"1"', "1", "1.0", '" 1 "', "0.5", "-2", "true", "false", '"true"', "1e2"]
    path = written(tmp_path, "a.jsonl", "".join(f'{{"text": "t", "label": {value}}}\n' for value in values))
    assert [label for _, label in said_of(path)] == ["1", "1", "1", "1", "0.5", "-2", "true", "false", "true", "100"]


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ("[1]", 'the value of "label" is a list, not text'),
        ("{}", 'the value of "label" is an object, not text'),
        ("1e999", 'the value of "label" is a number, inf, not text'),
        ('"\\ud800"', "half of a character"),
        ("9" * 201, "has 201 characters; at most 200 are read"),
        ('"' + "a" * 201 + '"', "has 201 characters; at most 200 are read. This looks like a text"),
    ],
)
def test_what_cannot_be_a_label_in_json_is_refused(tmp_path: Path, value: str, said: str) -> None:
    path = written(tmp_path, "a.jsonl", f'{{"text": "t", "label": 1}}\n{{"text": "t", "label": {value}}}\n')
    with pytest.raises(DataError, match=rf"a.jsonl:2: .*{said}"):
        read_labelled([path])


def test_white_space_is_stripped_and_labels_are_composed(tmp_path: Path) -> None:
    path = written(tmp_path, "a.tsv", "text\tlabel\n e\u0301  t \t e\u0301\u00a0\nx\t\u00e9\n")
    assert said_of(path) == [("e\u0301  t", "\u00e9"), ("x", "\u00e9")]


def test_records_without_text_or_label_are_left_out_and_counted_with_their_place(tmp_path: Path) -> None:
    path = written(tmp_path, "a.tsv", "text\tlabel\na\tx\n\ty\nb\t \n" + "\t\n" * 20)
    file = read_labelled([path])
    assert [record.texts for record in file.records] == [("a",)]
    assert file.empty == 22
    assert file.empty_places == tuple(f"{path}:{number}" for number in range(3, 13))
    objects = written(tmp_path, "a.jsonl", '{"text": "a", "label": null}\n{"text": "b", "label": 0}\n')
    assert (said_of(objects), read_labelled([objects]).empty) == ([("b", "0")], 1)


def test_a_pair_with_one_empty_text_is_left_out(tmp_path: Path) -> None:
    path = written(tmp_path, "a.csv", "text1,text2,label\na,,1\n,b,1\na,b,1\n")
    assert said_of(path, texts=2) == [("a", "b", "1")]
    assert read_labelled([path], texts=2).empty == 2


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("a.csv", "", r"a.csv is empty \(0 lines\)"),
        ("a.csv", "text,label\n", "a.csv holds only a header"),
        (
            "a.csv",
            "text,label\n,x\ny,\n",
            r"no record has both text and label: all 2 lack one \(the first at \S+a.csv:2\)",
        ),
        (
            "a.csv",
            "id,text,title\n1,a,b\n",
            r'2 columns \(text, label\) are needed and it has 3: "id", "text", "title"',
        ),
        ("a.jsonl", '{"text": "a", "mood": 3}\n', r'2 columns \(text, label\) are needed and it has 1: "text"'),
        (
            "a.tsv",
            "a\tb\tc\nd\te\tf\n",
            r'which of its 3 columns .* row 1 is "a" \| "b" \| "c".*--columns TEXT,LABEL.*2,3',
        ),
    ],
)
def test_a_table_without_text_and_label_has_its_own_sentence(tmp_path: Path, name: str, text: str, said: str) -> None:
    with pytest.raises(DataError, match=said):
        read_labelled([written(tmp_path, name, text)])


def test_a_label_that_is_asked_for_and_missing_is_met_with_the_columns_present(tmp_path: Path) -> None:
    path = written(tmp_path, "a.csv", "text,mood\na,b\n")
    with pytest.raises(DataError, match=r'no column "label"; the first row has "text", "mood"'):
        read_labelled([path], ("text", "label"))


@pytest.mark.parametrize(("columns", "texts"), [(("a", "b"), 2), (("a", "b", "c"), 1), (("a",), 1)])
def test_another_number_of_columns_is_a_wrong_use(tmp_path: Path, columns: tuple[str, ...], texts: int) -> None:
    path = written(tmp_path, "a.csv", "a,b,c\n1,2,3\n")
    with pytest.raises(UsageError, match=rf"{len(columns)} column\(s\) are named \({', '.join(columns)}\); name "):
        read_labelled([path], columns, texts)


def test_a_column_of_texts_taken_for_labels_is_refused_and_the_other_way_round_is_offered(tmp_path: Path) -> None:
    rows = "".join(f"{'pn'[n % 2]}\tsentence number {n}\n" for n in range(30))
    with pytest.raises(
        DataError,
        match=r'30 different labels of column "2" in 30 rows look like a column of text or ids.*--columns 2,1',
    ):
        read_labelled([written(tmp_path, "a.tsv", rows)])


def test_a_column_of_ids_is_refused_with_the_columns_present(tmp_path: Path) -> None:
    path = written(tmp_path, "a.csv", "text,class,id\n" + "".join(f"text {n},{n % 2},{n}\n" for n in range(25)))
    with pytest.raises(
        DataError, match=r'such as "0"\. Name the columns as --columns TEXT,LABEL; there are "text", "class"'
    ):
        read_labelled([path], ("text", "id"))
    assert len(read_labelled([path]).records) == 25


def test_mostly_different_labels_are_refused_in_a_long_table_only(tmp_path: Path) -> None:
    def table(rows: int) -> Path:
        return written(tmp_path, "a.csv", "text,label\n" + "".join(f"text {n},{n * 6 // 10}\n" for n in range(rows)))

    assert len(read_labelled([table(100)]).records) == 100
    with pytest.raises(DataError, match="61 different labels"):
        read_labelled([table(101)])


def test_more_labels_than_a_model_can_have_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(labelled_columns, "MOST_LABELS", 3)
    path = written(tmp_path, "a.csv", "text,label\n" + "".join(f"text {n},{n % 4}\n" for n in range(20)))
    with pytest.raises(DataError, match=r"a.csv: the 4 different labels"):
        read_labelled([path])


def test_a_few_records_may_all_have_different_labels(tmp_path: Path) -> None:
    rows = "".join(f"text {n},{n}\n" for n in range(20))
    assert len(said_of(written(tmp_path, "a.csv", "text,label\n" + rows))) == 20


def test_a_scale_of_numbers_is_no_column_of_ids_for_pairs(tmp_path: Path) -> None:
    rows = "".join(f"a {n},b {n},{n / 100}\n" for n in range(300))
    path = written(tmp_path, "a.csv", "sentence1,sentence2,score\n" + rows)
    assert len(said_of(path, texts=2)) == 300
    rows = "".join(f"a {n},b {n},{n}\n" for n in range(300))
    with pytest.raises(DataError, match="300 different labels"):
        read_labelled([written(tmp_path, "b.csv", "sentence1,sentence2,score\n" + rows)], texts=2)


def test_a_first_row_with_a_label_of_its_own_is_taken_for_an_unknown_header(tmp_path: Path) -> None:
    rows = "".join(f"text {n},{'pn'[n % 2]}\n" for n in range(8))
    path = written(tmp_path, "a.csv", "inhalt,stimmung\n" + rows)
    with pytest.raises(
        DataError, match=r'a.csv:1: .*"stimmung" stands nowhere else.*--columns inhalt,stimmung; .*--columns 1,2'
    ):
        read_labelled([path])
    assert len(said_of(path, ("inhalt", "stimmung"))) == 8
    assert said_of(path, ("1", "2"))[0] == ("inhalt", "stimmung")


def test_a_first_row_without_a_number_above_numbers_is_an_unknown_header(tmp_path: Path) -> None:
    rows = "".join(f"a {n},b,{n / 8}\n" for n in range(8))
    with pytest.raises(DataError, match=r'a.csv:1: .*"wert" stands nowhere else'):
        read_labelled([written(tmp_path, "a.csv", "eins,zwei,wert\n" + rows)], texts=2)


def folder_of(root: Path, **labels: dict[str, str]) -> Path:
    for label, files in labels.items():
        (root / label).mkdir(parents=True)
        for name, text in files.items():
            (root / label / name).write_bytes(text.encode())
    return root


def test_a_folder_has_a_sub_folder_a_label_and_a_file_a_text(tmp_path: Path) -> None:
    root = folder_of(
        tmp_path / "r", neg={"2.txt": "bad\r\nvery\n"}, pos={"b.txt": "so so\n", "a.TXT": "\ufeffgood", "x.md": "no"}
    )
    (root / "readme.txt").write_text("not a text of the data")
    (root / "pos" / ".hidden.txt").write_text("no")
    file = read_labelled([root])
    assert file.records == (
        LabelledText(("bad\nvery",), "neg", str(root / "neg" / "2.txt")),
        LabelledText(("good",), "pos", str(root / "pos" / "a.TXT")),
        LabelledText(("so so",), "pos", str(root / "pos" / "b.txt")),
    )
    assert file.columns == f'3 .txt files of {root}, a text each; the label is the name of the sub-folder: "neg", "pos"'


def test_an_empty_file_of_a_folder_is_left_out_and_counted(tmp_path: Path) -> None:
    root = folder_of(tmp_path / "r", neg={"a.txt": "", "b.txt": "x"}, pos={"c.txt": "y"})
    file = read_labelled([root])
    assert (len(file.records), file.empty, file.empty_places) == (2, 1, (str(root / "neg" / "a.txt"),))


def test_folders_that_hold_no_labels_are_explained(tmp_path: Path) -> None:
    flat = folder_of(tmp_path / "data", flat={"a.txt": "x"}) / "flat"
    with pytest.raises(DataError, match=r"flat holds no folders \(but 1 other files\)"):
        read_labelled([flat])
    deep = folder_of(tmp_path / "deep" / "train", pos={"a.txt": "x"}).parent
    with pytest.raises(
        DataError, match=r"deep/train: .*no .txt file.*Are its folders the labels\? Then give \S+deep/train"
    ):
        read_labelled([deep])
    with pytest.raises(DataError, match=r"empty: this folder of a label holds no .txt file \(0 other names\)"):
        read_labelled([folder_of(tmp_path / "e", empty={})])


def test_a_folder_is_refused_for_pairs_and_with_columns(tmp_path: Path) -> None:
    root = folder_of(tmp_path / "r", neg={"a.txt": "x"})
    with pytest.raises(DataError, match="r is a folder, not a file"):
        read_labelled([root], texts=2)
    with pytest.raises(UsageError, match=r"Columns \(a, b\) are for tables; \S+r is a folder"):
        read_labelled([root], ("a", "b"))


def test_more_sub_folders_than_a_model_can_have_labels_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(labelled_columns, "MOST_LABELS", 1)
    with pytest.raises(DataError, match="r: 2 different labels; at most 1 are read"):
        read_labelled([folder_of(tmp_path / "r", a={"a.txt": "x"}, b={"b.txt": "y"})])


@pytest.mark.parametrize(
    ("names", "said"),
    [
        ([], "No data is given. Give one table"),
        (["a.txt"], "a.txt is no table, for its suffix is not that of one"),
        (["a.csv", "b.csv"], r"2 files \(a.csv, b.csv\) are not one set"),
    ],
)
def test_paths_that_are_no_labelled_texts_are_a_wrong_use(
    names: list[str], said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in names:
        Path(name).write_text("one\n")
    with pytest.raises(UsageError, match=said):
        read_labelled([Path(name) for name in names])


def test_a_mistyped_name_is_told_as_such(tmp_path: Path) -> None:
    written(tmp_path, "reviews.csv", "text,label\na,b\n")
    with pytest.raises(DataError, match=r"revews\.csv does not exist\. Did you mean .*reviews\.csv"):
        read_labelled([tmp_path / "revews.csv"])


@pytest.mark.skipif(not SHARED.exists(), reason="the real data are not on this machine")
def test_real_tables_are_read_without_naming_columns() -> None:
    reviews = read_labelled([SHARED / "ntc_scv" / "test.csv"])
    assert (len(reviews.records), {record.label for record in reviews.records}) == (10_000, {"0", "1"})
    pairs = read_labelled([SHARED / "mrpc" / "train.tsv"], texts=2)
    assert (len(pairs.records), {record.label for record in pairs.records}) == (3_667, {"0", "1"})
    assert pairs.records[0].texts[0].startswith("Amrozi accused his brother")
