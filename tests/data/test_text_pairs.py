"""Laws of read_pairs: what belongs together, what is left out and counted, and one right sentence for each bad file."""

import gzip
from pathlib import Path

import pytest

from heed.data.pairs import read_pairs
from heed.data.records import TextPair
from heed.errors import DataError, UsageError


def written(folder: Path, **texts: str) -> list[Path]:
    paths = [folder / name.replace("_", ".") for name in texts]
    for path, text in zip(paths, texts.values(), strict=True):
        path.write_bytes(text.encode())
    return paths


def test_two_files_are_joined_line_by_line(tmp_path: Path) -> None:
    source, target = paths = written(tmp_path, train_en="a\r\nb\u2028c\n", train_fr="A\nB\n")
    file = read_pairs(paths)
    assert file.pairs == (TextPair("a", "A", f"{source}:1"), TextPair("b\u2028c", "B", f"{source}:2"))
    assert file.columns == f"line n of {source} → line n of {target}"


def test_a_table_gives_the_same_pairs_in_every_format(tmp_path: Path) -> None:
    paths = written(
        tmp_path,
        a_tsv="en\tfr\nGo.\tVa !\nHi, you.\tSalut !\n",
        b_csv='en,fr\nGo.,Va !\n"Hi, you.",Salut !\n',
        c_jsonl='{"en": "Go.", "fr": "Va !"}\n{"en": "Hi, you.", "fr": "Salut !"}\n',
        d_tsv="Go.\tVa !\tx\nHi, you.\tSalut !\tx\n",
    )
    packed = tmp_path / "e.tsv.gz"
    packed.write_bytes(gzip.compress(paths[0].read_bytes()))
    for path in [*paths, packed]:
        pairs = [(pair.source, pair.target) for pair in read_pairs([path]).pairs]
        assert pairs == [("Go.", "Va !"), ("Hi, you.", "Salut !")]


def test_the_columns_asked_for_are_source_and_target_in_that_order(tmp_path: Path) -> None:
    (path,) = written(tmp_path, a_csv="en,fr\na,A\n")
    file = read_pairs([path], ("fr", "en"))
    assert file.pairs == (TextPair("A", "a", f"{path}:2"),)
    assert file.columns == f"columns fr → en from the header of {path}"


@pytest.mark.parametrize(
    ("columns", "said"),
    [
        ([], r"0 column\(s\) are named \(\); name 2: SOURCE,TARGET\."),
        (["en"], r"1 column\(s\) are named \(en\); name 2: SOURCE,TARGET\."),
        (["en", "fr", "vi"], r"3 column\(s\) are named \(en, fr, vi\); name 2"),
    ],
)
def test_a_wrong_number_of_columns_is_refused(tmp_path: Path, columns: list[str], said: str) -> None:
    (path,) = written(tmp_path, a_csv="en,fr,vi\na,A,x\n")
    with pytest.raises(UsageError, match=said):
        read_pairs([path], columns)


def test_white_space_around_a_text_is_removed_and_inside_it_is_kept(tmp_path: Path) -> None:
    (path,) = written(tmp_path, a_tsv=" a  b \t\u00a0c \n")
    assert [(pair.source, pair.target) for pair in read_pairs([path]).pairs] == [("a  b", "c")]


def test_a_decomposed_letter_is_left_as_it_is(tmp_path: Path) -> None:
    (path,) = written(tmp_path, a_tsv="e\u0301\tb\n")
    assert read_pairs([path]).pairs[0].source == "e\u0301"


def test_pairs_with_an_empty_side_are_left_out_and_counted_with_their_place(tmp_path: Path) -> None:
    source, target = written(tmp_path, a_en="a\n\nc\n \n" + "\n" * 20, a_fr="A\nB\n\nD\n" + "\n" * 20)
    file = read_pairs([source, target])
    assert [pair.source for pair in file.pairs] == ["a"]
    assert file.empty == 23
    assert file.empty_places == tuple(f"{source}:{number}" for number in range(2, 12))


@pytest.mark.parametrize(
    ("source", "target", "counts"), [("a\nb\n", "A\nB\nC\nD\n", "2 lines.* 4"), ("a\nb\nc", "A\n", "3 lines.* 1")]
)
def test_unequal_lengths_are_refused_with_both_counts_and_the_last_common_line(
    tmp_path: Path, source: str, target: str, counts: str
) -> None:
    last = min(source.count("\n"), target.count("\n"))
    with pytest.raises(DataError, match=rf"a.en has {counts}; the last that both have is line {last}\."):
        read_pairs(written(tmp_path, a_en=source, a_fr=target))


@pytest.mark.parametrize(
    ("texts", "said"),
    [
        ({"a_en": "", "a_fr": ""}, r"a.en and \S+a.fr: no pair has text on both sides: it is empty \(0 lines\)"),
        ({"a_en": "a\n", "a_fr": ""}, r"a.fr is empty \(0 lines\). .*The other one has 1 lines"),
        (
            {"a_en": "\n\n", "a_fr": "\n\n"},
            r"no pair has text on both sides: all 2 have an empty side \(the first at \S+a.en:1\)",
        ),
        ({"a_tsv": ""}, r"a.tsv is empty \(0 lines\)"),
        ({"a_tsv": "\n\n"}, r"a.tsv holds only blank lines \(2\)"),
        ({"a_tsv": "en\tfr\n"}, r"a.tsv holds only a header"),
        ({"a_tsv": "a\t\n\tb\n"}, r"all 2 have an empty side \(the first at \S+a.tsv:1\)"),
    ],
)
def test_a_file_without_a_pair_has_its_own_sentence(tmp_path: Path, texts: dict[str, str], said: str) -> None:
    with pytest.raises(DataError, match=said):
        read_pairs(written(tmp_path, **texts))


@pytest.mark.parametrize(
    ("names", "said"),
    [
        ([], "No data file is given"),
        (["a.en"], "a.en alone is one side"),
        (["a.tsv", "b.tsv"], r"2 files \(a.tsv, b.tsv\) do not make one set"),
        (["a.en", "b.fr", "c.vi"], r"3 files \(a.en, b.fr, c.vi\)"),
        (["a.en", "a.en"], "a.en is given as source and as target"),
    ],
)
def test_paths_that_do_not_make_pairs_are_a_wrong_use(
    names: list[str], said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in names:
        Path(name).write_text("one\n")
    with pytest.raises(UsageError, match=said):
        read_pairs([Path(name) for name in names])


def test_a_mistyped_table_is_told_as_such_and_not_taken_for_one_side_of_the_pairs(tmp_path: Path) -> None:
    (tmp_path / "pairs.tsv").write_text("one\tun\n")
    with pytest.raises(DataError, match=r"pairs\.tvs does not exist\. Did you mean .*pairs\.tsv"):
        read_pairs([tmp_path / "pairs.tvs"])


def test_columns_are_refused_for_files_of_lines() -> None:
    with pytest.raises(UsageError, match=r"Columns \(en, fr\) are for tables; a.en and a.fr"):
        read_pairs([Path("a.en"), Path("a.fr")], ("en", "fr"))
