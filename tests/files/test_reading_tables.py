"""Laws of TSV and CSV reading, and the documented rule by which a first row is a header."""

from pathlib import Path

import pytest

from heed.errors import DataError, UsageError
from heed.files import fields as fields_module
from heed.files.columns import Columns, columns_option, find_columns
from heed.files.fields import Fields, read_fields
from heed.files.tables import is_table, read_rows

USUAL = (("source", "target"),)


def written(folder: Path, text: str, name: str = "pairs.tsv") -> Path:
    path = folder / name
    path.write_bytes(text.encode())
    return path


def two(path: Path, wanted: tuple[str, str] | None = None) -> Columns:
    return find_columns(path, wanted, usual=USUAL, count=2)


def test_in_tsv_a_quote_is_a_plain_character(tmp_path: Path) -> None:
    path = written(tmp_path, 'say "a\tb\n"c\td"\n')
    assert list(read_fields(path)) == [Fields(1, ['say "a', "b"]), Fields(2, ['"c', 'd"'])]


def test_csv_reads_quotes_commas_and_line_ends_inside_quotes_and_numbers_the_first_line(tmp_path: Path) -> None:
    path = written(tmp_path, 'a,"b, ""c"""\r\n\r\n"two\r\nlines",x\nlast,y\n', "pairs.csv")
    assert list(read_fields(path)) == [
        Fields(1, ["a", 'b, "c"']),
        Fields(3, ["two\nlines", "x"]),
        Fields(5, ["last", "y"]),
    ]


def test_blank_lines_are_no_records_but_empty_fields_are(tmp_path: Path) -> None:
    assert [record.values for record in read_fields(written(tmp_path, "a\tb\n\n  \n\t\n"))] == [["a", "b"], ["", ""]]


def test_a_csv_field_may_be_longer_than_the_librarys_own_limit(tmp_path: Path) -> None:
    path = written(tmp_path, f"a,{'x' * 500_000}\n", "pairs.csv")
    assert len(next(read_fields(path)).values[1]) == 500_000


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('a,b\nc,"d\ne,f\n', "pairs.csv:2: a quote is opened in the record that begins here and never closed"),
        ('a,b\n"c"d,e\n', "pairs.csv:2: text follows a closing quote"),
        ("a,b\nc\rd,e\n", "pairs.csv:2: a carriage return"),
    ],
)
def test_broken_csv_is_named_with_the_line_where_the_record_begins(tmp_path: Path, text: str, said: str) -> None:
    with pytest.raises(DataError, match=said):
        list(read_fields(written(tmp_path, text, "pairs.csv")))


def test_a_quote_that_is_never_closed_does_not_swallow_a_long_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fields_module, "LONGEST_RECORD", 100)
    path = written(tmp_path, 'ok,ok\n"a,b\n' + "sentence\n" * 50, "pairs.csv")
    with pytest.raises(
        DataError, match=r"pairs.csv:2: the record that begins here runs on to line 13 and over 100 char"
    ):
        list(read_fields(path))


def test_a_headerless_table_is_read_by_position_and_says_so(tmp_path: Path) -> None:
    path = written(tmp_path, "Go.\tVa !\tCC-BY 2.0\nHi.\tSalut !\tCC-BY 2.0\n")
    columns = two(path)
    assert (columns.names, columns.header) == (("1", "2"), False)
    assert columns.sentence == f'columns 1 → 2 of {path}; its row 1 is data, not a header: "Go." | "Va !" | "CC-BY 2.0"'
    assert [row.values for row in read_rows(path, columns)] == [{"1": "Go.", "2": "Va !"}, {"1": "Hi.", "2": "Salut !"}]


@pytest.mark.parametrize("header", ["en,fr", "Source,Target", "English,French", "pt-BR,en_US", "eng,vie"])
def test_a_known_header_is_taken_as_one_and_says_so(tmp_path: Path, header: str) -> None:
    path = written(tmp_path, f"{header}\nGo.,Va !\n", "pairs.csv")
    columns = two(path)
    first, second = header.split(",")
    assert (columns.names, columns.header) == ((first, second), True)
    assert columns.sentence == f"columns {first} → {second} from the header of {path}"
    assert [(row.place, row.values) for row in read_rows(path, columns)] == [
        (f"{path}:2", {first: "Go.", second: "Va !"})
    ]


@pytest.mark.parametrize("row", ["Go.\tVa !", "is this\tfr", "en\ten", "anglais\tfrançais", "en-1\tfr"])
def test_a_first_row_without_two_known_names_is_data(tmp_path: Path, row: str) -> None:
    assert not two(written(tmp_path, row + "\n")).header


def test_names_that_stand_in_row_one_make_it_a_header(tmp_path: Path) -> None:
    path = written(tmp_path, "nom,anglais,français\n1,Go.,Va !\n", "pairs.csv")
    columns = two(path, ("français", "anglais"))
    assert next(read_rows(path, columns)).values == {"français": "Va !", "anglais": "Go."}


def test_positions_that_are_asked_for_make_row_one_data(tmp_path: Path) -> None:
    path = written(tmp_path, "no\tne\tsi\n")
    assert two(path, ("3", "1")).positions == (2, 0)
    assert [row.values for row in read_rows(path, two(path, ("3", "1")))] == [{"3": "si", "1": "no"}]


def test_the_usual_names_are_taken_from_a_wide_header_and_others_must_be_chosen(tmp_path: Path) -> None:
    assert two(written(tmp_path, "id\ttarget\tsource\n1\ta\tb\n")).positions == (2, 1)
    with pytest.raises(
        DataError, match=r'2 columns of text are needed and it has 3: "id", "en", "fr".*--columns en,fr'
    ):
        two(written(tmp_path, "id\ten\tfr\n1\ta\tb\n"))


def test_a_byte_order_mark_does_not_hide_the_header(tmp_path: Path) -> None:
    assert two(written(tmp_path, "\ufeffsource,target\na,b\n", "pairs.csv")).names == ("source", "target")


@pytest.mark.parametrize(
    ("name", "text", "wanted", "said"),
    [
        ("pairs.csv", "en,fr\na,b\n", ("english", "fr"), r'pairs.csv:1: there is no column "english"; .*"en", "fr"'),
        ("pairs.csv", "English,fr\na,b\n", ("english", "fr"), r'Did you mean "English"\?'),
        ("pairs.csv", "en,fr,en\na,b,c\n", ("en", "fr"), r'the header names "en" 2 times'),
        ("pairs.tsv", "a\tb\n", ("1", "3"), r'no column 3: row 1 has 2 field\(s\), "a" \| "b"'),
        (
            "pairs.csv",
            "en;fr\na;b\n",
            None,
            r'no column 2: row 1 has 1 field\(s\), "en;fr".*parted by commas, this one',
        ),
        ("pairs.tsv", "one\n", None, r"no column 2: .*Check the columns"),
        ("pairs.tsv", "", None, r"pairs.tsv is empty \(0 lines\)"),
        ("pairs.csv", "\n \n\n", None, r"pairs.csv holds only blank lines \(3\)"),
    ],
)
def test_columns_that_cannot_be_found_are_explained(
    tmp_path: Path, name: str, text: str, wanted: tuple[str, str] | None, said: str
) -> None:
    with pytest.raises(DataError, match=said):
        two(written(tmp_path, text, name), wanted)


def test_one_column_cannot_be_both_sides(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="en, en name one column twice"):
        two(written(tmp_path, "en\tfr\n"), ("en", "en"))


def test_a_table_of_a_header_alone_says_so(tmp_path: Path) -> None:
    path = written(tmp_path, "en\tfr\n\n")
    with pytest.raises(DataError, match=r'pairs.tsv holds only a header \(with "en", "fr"\) and no rows'):
        list(read_rows(path, two(path)))


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("pairs.tsv", "a\tb\nc\td\te\n", r'pairs.tsv:2: 3 field\(s\), but row 1 has 2: "c" \| "d" \| "e".*stray tab'),
        ("pairs.tsv", "en\tfr\nc\n", r"pairs.tsv:2: 1 field\(s\), but the header has 2"),
        ("pairs.csv", "en,fr\na, b,c\n", r"pairs.csv:2: 3 field\(s\), but the header has 2.*Put quotes"),
    ],
)
def test_a_record_of_another_width_is_refused(tmp_path: Path, name: str, text: str, said: str) -> None:
    with pytest.raises(DataError, match=said):
        list(read_rows(written(tmp_path, text, name)))


def test_without_columns_all_are_read(tmp_path: Path) -> None:
    assert [row.values for row in read_rows(written(tmp_path, "a\tb\tc\n"))] == [{"1": "a", "2": "b", "3": "c"}]


def test_a_table_is_known_by_its_suffix_in_any_case_and_below_gz() -> None:
    assert [is_table(Path(name)) for name in ("a.TSV", "a.csv.gz", "a.jsonl", "a.txt", "a.gz", "tsv")] == [
        True,
        True,
        True,
        False,
        False,
        False,
    ]


def test_a_first_row_that_names_all_usual_columns_is_a_header_in_any_case_and_place(tmp_path: Path) -> None:
    path = written(tmp_path, "#1\tQuality\tTARGET\tSource\n1\t2\ta\tb\n")
    columns = two(path)
    assert (columns.names, columns.header) == (("Source", "TARGET"), True)
    assert columns.present == ("#1", "Quality", "TARGET", "Source")
    assert not two(written(tmp_path, "#1\tQuality\tSource\n")).header


def test_what_is_needed_is_named_as_the_caller_has_it(tmp_path: Path) -> None:
    path = written(tmp_path, "id\ten\tfr\n1\ta\tb\n")
    with pytest.raises(DataError, match="2 parts of a whole are needed and it has 3"):
        find_columns(path, None, count=2, needed="parts of a whole")


@pytest.mark.parametrize(
    ("names", "option"),
    [
        (["en", "fr"], "--columns en,fr"),
        (["#1 String", "it's"], """--columns '#1 String,it'"'"'s'"""),
        (["a\ufeff", "b", "c"], "--columns 1,2,3"),
        (["a,b", "c"], "--columns 1,2"),
        (["a" * 200, "c"], "--columns 1,2"),
    ],
)
def test_columns_are_proposed_so_that_they_can_be_copied_to_a_shell(names: list[str], option: str) -> None:
    assert columns_option(names) == option
