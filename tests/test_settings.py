"""The strict reader of settings: what it fills, what it refuses, and with which words."""

import json
import time
from pathlib import Path
from typing import Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from heed.errors import SettingsError
from heed.settings import from_dict, read_file, settings, to_dict, with_overrides


@settings
class Constant:
    kind: Literal["constant"] = "constant"
    rate: float = 1e-3


@settings
class Warmup:
    kind: Literal["warmup"] = "warmup"
    peak: float = 1e-3
    steps: int = 400

    def __post_init__(self) -> None:
        if self.steps < 1:
            raise SettingsError(f"steps is {self.steps}. Use 1 or more.")


@settings
class Attention:
    width: int = 16
    heads: int = 2


@settings
class Model:
    attention: Attention = Attention(width=64)
    positions: Literal["sinusoid", "learned", "none"] = "sinusoid"
    dropout: float | None = 0.1
    sizes: tuple[int, ...] = (3, 4, 5)
    betas: tuple[float, float] = (0.9, 0.98)
    name: str = "small"
    residual: bool = True


@settings
class Everything:
    seed: int = 1
    model: Model = Model()
    schedule: Constant | Warmup = Warmup(peak=0.5, steps=7)
    extra: Constant | Warmup | None = None
    also: Attention | None = None


@settings
class Odd:
    level: Literal[1, 2] = 1
    title: str | None = "a"
    norm: Literal["layer", "none"] | None = "layer"
    steps: tuple[Warmup, ...] = ()


@settings
class Required:
    data: str
    schedule: Constant | Warmup


def refusal(values: object, cls: type[object] = Everything) -> str:
    with pytest.raises(SettingsError) as caught:
        from_dict(cls, values, "settings")  # type: ignore[arg-type]
    return str(caught.value)


def refusal_of_file(path: Path, content: str | bytes) -> str:
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    with pytest.raises(SettingsError) as caught:
        read_file(Everything, path)
    assert str(path) in str(caught.value)
    return str(caught.value)


class TestWhatIsFilled:
    def test_nothing_given_is_the_defaults(self) -> None:
        assert from_dict(Everything, {}, "settings") == Everything()

    def test_a_key_not_given_keeps_the_value_of_the_fields_default_and_not_of_the_class(self) -> None:
        read = from_dict(Everything, {"model": {"attention": {"heads": 4}}, "schedule": {"peak": 0.25}}, "settings")
        assert read.model.attention == Attention(width=64, heads=4)
        assert read.schedule == Warmup(peak=0.25, steps=7)

    def test_kind_picks_the_class_and_a_new_class_starts_from_its_own_defaults(self) -> None:
        assert from_dict(Everything, {"schedule": {"kind": "constant"}}, "settings").schedule == Constant()
        assert from_dict(Everything, {"extra": {"kind": "warmup"}}, "settings").extra == Warmup()

    def test_an_optional_settings_class_takes_a_table_or_null(self) -> None:
        assert from_dict(Everything, {"also": {"heads": 8}}, "settings").also == Attention(heads=8)
        assert from_dict(Everything, {"also": None}, "settings").also is None

    def test_an_int_given_for_a_float_becomes_a_float(self) -> None:
        dropout = from_dict(Model, {"dropout": 0}, "settings").dropout
        assert isinstance(dropout, float)

    def test_lists_become_tuples(self) -> None:
        read = from_dict(Model, {"sizes": [1], "betas": [0, 1]}, "settings")
        assert (read.sizes, read.betas) == ((1,), (0.0, 1.0))

    def test_the_text_none_means_none_only_where_text_is_not_allowed(self) -> None:
        assert from_dict(Model, {"dropout": "none"}, "settings").dropout is None
        odd = from_dict(Odd, {"title": "none", "norm": "none"}, "settings")
        assert (odd.title, odd.norm) == ("none", "none")
        assert from_dict(Odd, {"title": None}, "settings").title is None


class TestWhatIsRefused:
    def test_an_unknown_key_is_named_with_its_path_the_nearest_key_and_all_valid_keys(self) -> None:
        message = refusal({"model": {"attention": {"widht": 8}}})
        assert message == (
            "settings.model.attention.widht is not a setting. Did you mean 'width'? Valid here: width, heads."
        )

    def test_an_unknown_key_that_resembles_nothing_gets_no_guess(self) -> None:
        message = refusal({"qqq": 1})
        assert "settings.qqq is not a setting. Valid here: seed, model" in message

    def test_a_key_that_cannot_be_printed_is_escaped(self) -> None:
        assert r"settings.'\x1b[31m' is not" in refusal({"\x1b[31m": 1})

    @pytest.mark.parametrize(
        ("values", "message"),
        [
            ({"seed": True}, "settings.seed is True, but must be an integer."),
            ({"seed": 1.0}, "settings.seed is 1.0, but must be an integer."),
            ({"seed": "1"}, "settings.seed is '1', but must be an integer."),
            ({"seed": None}, "settings.seed is None, but must be an integer."),
            ({"seed": 2**63}, f"settings.seed is {2**63}, but must be an integer."),
            ({"seed": 10**5000}, "settings.seed is a value too long to show, but must be an integer."),
            ({"model": 3}, "settings.model is 3, but must be a table of settings."),
            ({"model": {"residual": 1}}, "settings.model.residual is 1, but must be true or false."),
            ({"model": {"name": 5}}, "settings.model.name is 5, but must be text."),
            ({"model": {"name": "\ud800"}}, r"settings.model.name is '\ud800', but must be text."),
            ({"model": {"dropout": True}}, "settings.model.dropout is True, but must be a finite number or none."),
            (
                {"model": {"dropout": float("nan")}},
                "settings.model.dropout is nan, but must be a finite number or none.",
            ),
            (
                {"model": {"dropout": float("inf")}},
                "settings.model.dropout is inf, but must be a finite number or none.",
            ),
            ({"model": {"sizes": 3}}, "settings.model.sizes is 3, but must be a list, each item an integer."),
            ({"model": {"sizes": [3, "x"]}}, "settings.model.sizes[1] is 'x', but must be an integer."),
            (
                {"model": {"betas": [0.9]}},
                "settings.model.betas is [0.9], but must be a list of 2: a finite number, a finite number.",
            ),
            (
                {"model": {"positions": "sinusoidal"}},
                "settings.model.positions is 'sinusoidal', but must be one of: sinusoid, learned, none. "
                "Did you mean 'sinusoid'?",
            ),
            (
                {"schedule": {"kind": "warmpu"}},
                "settings.schedule.kind is 'warmpu', but must be one of: constant, warmup. Did you mean 'warmup'?",
            ),
            ({"schedule": {"kind": 3}}, "settings.schedule.kind is 3, but must be one of: constant, warmup."),
            ({"extra": {"rate": 1.0}}, "settings.extra.kind is missing. Give it one of: constant, warmup."),
            (["seed"], "settings is ['seed'], but must be a table of keys and values."),
        ],
    )
    def test_a_wrong_value_is_named_with_its_path_the_value_and_what_is_expected(
        self, values: object, message: str
    ) -> None:
        assert refusal(values) == message

    def test_an_integer_too_large_for_a_float_is_refused(self) -> None:
        assert "but must be a finite number or none." in refusal({"dropout": 10**400}, Model)

    def test_true_is_not_the_literal_1(self) -> None:
        assert refusal({"level": True}, Odd) == "settings.level is True, but must be one of: 1, 2."

    def test_a_long_value_is_shortened_in_the_message(self) -> None:
        assert len(refusal({"seed": "x" * 100_000})) < 200

    def test_a_key_of_another_kind_is_unknown(self) -> None:
        assert "settings.schedule.steps is not a setting" in refusal({"schedule": {"kind": "constant", "steps": 3}})

    def test_a_key_without_a_default_must_be_given(self) -> None:
        assert refusal({}, Required) == "settings.data is missing. Give it text."

    def test_a_check_in_post_init_speaks_for_itself(self) -> None:
        assert refusal({"schedule": {"steps": 0}}) == "steps is 0. Use 1 or more."

    def test_to_dict_takes_only_settings(self) -> None:
        with pytest.raises(TypeError, match="not 3"):
            to_dict(3)


names = st.text(st.characters(exclude_categories=["Cs"]))
finite = st.floats(allow_nan=False, allow_infinity=False)
integers = st.integers(-(2**63), 2**63 - 1)
schedules = st.one_of(
    st.builds(Constant, kind=st.just("constant"), rate=finite),
    st.builds(Warmup, kind=st.just("warmup"), peak=finite, steps=st.integers(1, 2**63 - 1)),
)
attentions = st.builds(Attention, width=integers, heads=integers)
models = st.builds(
    Model,
    attention=attentions,
    positions=st.sampled_from(["sinusoid", "learned", "none"]),
    dropout=st.none() | finite,
    sizes=st.lists(integers).map(tuple),
    betas=st.tuples(finite, finite),
    name=names,
    residual=st.booleans(),
)
everything = st.builds(
    Everything,
    seed=integers,
    model=models,
    schedule=schedules,
    extra=st.none() | schedules,
    also=st.none() | attentions,
)


class TestRoundTrip:
    @given(everything)
    def test_settings_come_back_equal_through_json(self, value: Everything) -> None:
        text = json.dumps(to_dict(value), allow_nan=False)
        assert from_dict(Everything, json.loads(text), "settings") == value

    def test_tuples_become_lists_and_settings_inside_them_dicts(self) -> None:
        odd = Odd(steps=(Warmup(steps=3), Warmup(peak=2.0)))
        plain = to_dict(odd)
        assert plain["steps"] == [
            {"kind": "warmup", "peak": 1e-3, "steps": 3},
            {"kind": "warmup", "peak": 2.0, "steps": 400},
        ]
        assert from_dict(Odd, plain, "settings") == odd

    def test_a_file_of_all_defaults_reads_as_the_defaults(self, tmp_path: Path) -> None:
        path = tmp_path / "settings.json"
        path.write_text(json.dumps(to_dict(Everything())))
        assert read_file(Everything, path) == Everything()


class TestFiles:
    def test_toml_with_a_byte_order_mark_and_crlf_is_read(self, tmp_path: Path) -> None:
        path = tmp_path / "heed.toml"
        path.write_bytes(b'\xef\xbb\xbfseed = 3\r\n[schedule]\r\nkind = "constant"\r\nrate = 1\r\n')
        assert read_file(Everything, path) == Everything(seed=3, schedule=Constant(rate=1.0))

    def test_an_unknown_key_in_a_file_names_the_file_and_the_path(self, tmp_path: Path) -> None:
        message = refusal_of_file(tmp_path / "a.toml", "[model]\nresidaul = true\n")
        assert message.startswith(f"{tmp_path / 'a.toml'}: settings.model.residaul is not a setting. Did you mean")

    @pytest.mark.parametrize(
        ("name", "content", "message"),
        [
            ("a.toml", "seed = 1\nseed = 2\n", "a.toml:2:9: not valid TOML"),
            ("a.toml", "seed = 1\n\n[model", "a.toml:3: not valid TOML"),
            ("a.toml", "seed = " + "9" * 5000, "a.toml:1: not valid TOML"),
            ("a.toml", "seed = " + "9" * 100, "an integer of 333 bits"),
            ("a.toml", "seed = 1979-05-27", "settings.seed is datetime.date(1979, 5, 27), but must be an integer"),
            ("a.toml", "[model]\ndropout = nan", "settings.model.dropout is nan"),
            ("a.toml", "seed = " + "[" * 100_000, "nested more than 32 deep"),
            ("a.toml", "a." * 40 + "a = 1", "nested more than 32 deep"),
            ("a.toml", b"# caf\xe9\n", "a.toml:1: byte 0xe9 is not UTF-8"),
            ("a.json", '{"seed": 1,\n "seed": 2}', "the key 'seed' stands twice"),
            ("a.json", '{"seed": NaN}', "NaN is not a number"),
            ("a.json", '{"seed": -Infinity}', "-Infinity is not a number"),
            ("a.json", '{"model": {"dropout": 1e999}}', "settings.model.dropout is inf"),
            ("a.json", '{"seed": ' + "9" * 5000 + "}", "has 5000 digits. Settings hold 64-bit integers."),
            ("a.json", '{"seed": 9223372036854775808}', "an integer of 64 bits"),
            ("a.json", "[" * 100_000, "nested more than 32 deep"),
            ("a.json", '{"seed":' + "[" * 40 + "]" * 40 + "}", "nested more than 32 deep"),
            ("a.json", '{"seed": 1,\n}', "a.json:2:1: not valid JSON"),
            ("a.json", "", "a.json:1:1: not valid JSON"),
            ("a.json", "[1]", "holds a list"),
            ("a.json", '{"model": {"name": "\\ud800"}}', r"settings.model.name is '\ud800'"),
            ("a.json", b"\xff\xfe{\x00}\x00", "byte 0xff is not UTF-8"),
            ("a.yaml", "seed: 1", "ends in '.yaml'"),
            ("a.toml", "#" * 1_000_001, "is larger than 1000000 bytes"),
        ],
    )
    def test_a_bad_file_gets_one_right_sentence(
        self, tmp_path: Path, name: str, content: str | bytes, message: str
    ) -> None:
        assert message in refusal_of_file(tmp_path / name, content)

    def test_a_dotted_key_that_would_take_the_parser_long_is_refused_at_once(self, tmp_path: Path) -> None:
        start = time.perf_counter()
        assert "nested more than" in refusal_of_file(tmp_path / "a.toml", "a." * 30_000 + "a = 1")
        assert time.perf_counter() - start < 2

    def test_a_file_that_is_not_there_is_named(self, tmp_path: Path) -> None:
        with pytest.raises(SettingsError, match=r"no settings file .*absent\.toml"):
            read_file(Everything, tmp_path / "absent.toml")

    def test_a_folder_is_refused(self, tmp_path: Path) -> None:
        (tmp_path / "folder.toml").mkdir()
        with pytest.raises(SettingsError, match=r"folder\.toml cannot be read: Is a directory"):
            read_file(Everything, tmp_path / "folder.toml")

    @given(st.binary(max_size=200), st.sampled_from([".toml", ".json"]))
    def test_any_bytes_are_read_or_refused(
        self, tmp_path_factory: pytest.TempPathFactory, content: bytes, suffix: str
    ) -> None:
        path = tmp_path_factory.getbasetemp() / f"any{suffix}"
        path.write_bytes(content)
        try:
            read_file(Everything, path)
        except SettingsError as error:
            assert str(path) in str(error)


class TestOverrides:
    @pytest.mark.parametrize(
        ("text", "value"),
        [
            ("3", 3),
            ("0.5", 0.5),
            ("true", True),
            ('"3"', "3"),
            ("[1, 2]", [1, 2]),
            ("{kind = 'constant'}", {"kind": "constant"}),
            ("learned", "learned"),
            ("", ""),
            ("a=b", "a=b"),
            ("runs/a.b", "runs/a.b"),
            ("#fff", "#fff"),
            ("3#4", "3#4"),
            ("1, 2", "1, 2"),
            ("1, 0]\nother = [2", "1, 0]\nother = [2"),
            ("[" * 100_000, "[" * 100_000),
        ],
    )
    def test_a_value_is_toml_or_else_plain_text(self, text: str, value: object) -> None:
        assert with_overrides({}, [f"key={text}"]) == {"key": value}

    def test_a_dotted_name_reaches_into_tables_and_makes_absent_ones(self) -> None:
        before = {"model": {"name": "a", "residual": True}, "also": None}
        after = with_overrides(before, ["model.name=b", "also.heads = 4", "schedule.peak=1", "seed=2", "seed=3"])
        assert after == {
            "model": {"name": "b", "residual": True},
            "also": {"heads": 4},
            "schedule": {"peak": 1},
            "seed": 3,
        }

    def test_what_was_given_is_not_changed(self) -> None:
        before = {"model": {"attention": {"heads": 2}}}
        with_overrides(before, ["model.attention.heads=4"])
        assert before == {"model": {"attention": {"heads": 2}}}

    @pytest.mark.parametrize("assignment", ["seed", "=3", "model.=3", ".seed=3", "model..name=3", ""])
    def test_an_override_without_name_or_equals_sign_is_refused(self, assignment: str) -> None:
        with pytest.raises(SettingsError) as caught:
            with_overrides({}, [assignment])
        assert f"{assignment!r} cannot be read. Write it as part.key=value." in str(caught.value)

    def test_a_name_that_goes_through_a_single_value_is_refused(self) -> None:
        with pytest.raises(SettingsError, match=r"'seed\.low=1' cannot be applied: seed is 3, a single value"):
            with_overrides({"seed": 3}, ["seed.low=1"])

    def test_defaults_with_overrides_read_back_as_settings(self) -> None:
        values = with_overrides(to_dict(Everything()), ["model.dropout=none", "schedule.peak=2", "seed=9"])
        expected = Everything(seed=9, model=Model(dropout=None), schedule=Warmup(peak=2.0, steps=7))
        assert from_dict(Everything, values, "settings") == expected
