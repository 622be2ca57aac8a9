"""The sections of a report about data: what there was, what the model could not read, how words were hidden."""

from collections.abc import Sequence

from heed.pages.markup import Child, Markup, element, together
from heed.pages.parts import bullets, name, pairs_list, table
from heed.reporting.data_facts import DataFacts, MaskingFacts, PairFacts
from heed.reporting.numbers import share_of

_TITLES = {"train": "training", "valid": "validation", "test": "test"}
MOST_FILES = 50  # of a part that are named
SHORT_DIGEST = 16  # letters of a fingerprint that are shown: enough to tell two apart


def data_section(data: DataFacts) -> Markup:
    """Return what is known of the data, or nothing where that is nothing."""
    origin: list[tuple[Child, Child]] = [("from", element("bdi", data.origin))] if data.origin else []
    note: list[tuple[Child, Child]] = [("note", element("bdi", data.note))] if data.note else []
    others = [(each.replace("_", " "), element("bdi", said)) for each, said in (data.others or {}).items()]
    pairs = [*origin, *_files(data), *note, *others]
    parts = [pairs_list(pairs) if pairs else Markup(""), _parts_table(data), _readings_table(data), _digests(data)]
    return together(parts)


def cut_section(data: DataFacts) -> Markup:
    """Return what was cut, unknown or left out, and how much; or nothing where the run does not know it."""
    if data.counted and not data.left_out:
        return element("p", "Nothing: no text was cut, no token unknown and no example left out.")
    return bullets(data.left_out)


def masking_section(masking: MaskingFacts | None, pairs: PairFacts | None) -> Markup:
    """Return what hiding words did in practice, beside what BERT's recipe asks for, and how pairs were cut."""
    if masking is None:
        return Markup("")
    rows: list[list[Child]] = [
        ["chosen, of all tokens", f"{masking.chosen:.2%}", "15 %"],
        ["hidden behind [MASK], of the chosen", f"{masking.masked:.2%}", "80 %"],
        ["replaced by another token, of the chosen", f"{masking.replaced:.2%}", "10 %"],
        ["kept as they are, of the chosen", f"{masking.kept:.2%}", "10 %"],
    ]
    if masking.follows is not None:
        rows.append(["pairs whose second text follows (IsNext)", f"{masking.follows:.2%}", "50 %"])
    caption = f"Counted in {masking.sequences:,} sequences of {masking.tokens:,} tokens, as the first epoch draws them"
    shown = table(caption, ["Share", "Here", "In the paper"], rows)
    paper = element("p", element("small", "The paper: Devlin et al. 2019, BERT, sections 3.1 and A.1."))
    return together([shown, paper, _pairs_table(pairs)])


def _pairs_table(pairs: PairFacts | None) -> Markup:
    """Return how well pairs are told apart by rules that do not read them."""
    if pairs is None:
        return Markup("")
    rows: list[list[Child]] = [
        ["length of the first text, of the second, or of both", f"{pairs.by_length:.2%}"],
        ["first token of the second text", f"{pairs.by_first_token:.2%}"],
        ["last token of the second text", f"{pairs.by_last_token:.2%}"],
    ]
    caption = f"Next-sentence accuracy of rules that do not read, on {pairs.pairs:,} pairs; 50 % is chance"
    said = "Each rule is fitted on one half of the pairs and scored on the other. Above 55 %, the label leaks."
    return together([table(caption, ["Rule", "Accuracy"], rows), element("p", element("small", said))])


def _files(data: DataFacts) -> list[tuple[Child, Child]]:
    return [
        (f"{_TITLES.get(part, part)} files", _named(files))
        for part, files in (data.files or {}).items()
        if list(files) != [data.origin]
    ]


def _named(files: Sequence[str]) -> Markup:
    shown = [together([", " if number else "", element("bdi", file)]) for number, file in enumerate(files[:MOST_FILES])]
    more = len(files) - MOST_FILES
    return together([*shown, f" and {more:,} more" if more > 0 else ""])


def _parts_table(data: DataFacts) -> Markup:
    if not data.parts:
        return Markup("")
    titles = list(dict.fromkeys(count for part in data.parts for count in part.counts))
    has_digest = any(part.fingerprint for part in data.parts)
    rows: list[list[Child]] = []
    for part in data.parts:
        counts = [f"{part.counts[title]:,}" if title in part.counts else "–" for title in titles]
        rows.append([_TITLES.get(part.name, part.name), *counts, *([_digest(part.fingerprint)] if has_digest else [])])
    last = ["fingerprint (SHA-256 of all examples)"] if has_digest else []
    return table("Parts of the data", ["Part", *(title.replace("_", " ") for title in titles), *last], rows)


def _readings_table(data: DataFacts) -> Markup:
    counted = {f"tokens of {part.name}" for part in data.parts}  # which the table of the parts has
    own = [each for each in data.readings if each.name not in counted]
    if not own:
        return Markup("")
    records = next((part.counts.get("records") for part in data.parts if part.name == "train"), None)
    rows: list[list[Child]] = [
        [
            each.name,
            f"{each.tokens:,}",
            f"{each.tokens / records:,.1f}" if records else "–",
            f"{each.unknown:,} ({share_of(each.unknown, each.tokens)})",
            f"{each.cut:,} ({share_of(each.cut, each.tokens)})",
        ]
        for each in own
    ]
    titles = ["Kind", "Tokens", "In one example", "Unknown", "Cut off"]
    return table("Tokens of the training data as the model meets them", titles, rows)


def _digests(data: DataFacts) -> Markup:
    rows: list[list[Child]] = [[name(file), _digest(digest)] for file, digest in (data.digests or {}).items()]
    return table("Files that the model was imported from", ["File", "SHA-256"], rows) if rows else Markup("")


def _digest(digest: str | None) -> Child:
    return "–" if digest is None else element("code", digest[:SHORT_DIGEST], title=digest[:128])
