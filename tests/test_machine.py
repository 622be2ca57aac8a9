"""Threads, memory, seeds, ranks and the probes of `heed doctor`."""

import dataclasses
import os
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
import torch

import heed
from heed import machine
from heed.cgroups import ContainerLimits, container_limits
from heed.errors import MachineError, SettingsError
from heed.machine import Bf16Probe, Ranks, doctor, gains_by_onednn, memory_available, memory_total, probe_bf16


@pytest.fixture(autouse=True)
def threads_as_before() -> Iterator[None]:
    before = torch.get_num_threads()
    yield
    torch.set_num_threads(before)


def write(folder: Path, **files: str) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in files.items():
        (folder / name.replace("__", ".")).write_text(text + "\n")


class TestRanks:
    def test_without_torchrun_this_is_rank_0_of_1(self) -> None:
        assert Ranks.from_environment({}) == Ranks(rank=0, world_size=1, local_rank=0)

    def test_torchrun_says_who_we_are(self) -> None:
        ranks = Ranks.from_environment({"RANK": "5", "WORLD_SIZE": "8", "LOCAL_RANK": "1"})
        assert ranks == Ranks(rank=5, world_size=8, local_rank=1)
        assert not ranks.is_first
        assert Ranks().is_first

    @pytest.mark.parametrize(
        "environment",
        [
            {"RANK": "0"},
            {"RANK": "x", "WORLD_SIZE": "2", "LOCAL_RANK": "0"},
            {"RANK": "2", "WORLD_SIZE": "2", "LOCAL_RANK": "0"},
            {"RANK": "0", "WORLD_SIZE": "2", "LOCAL_RANK": "1"},
            {"RANK": "-1", "WORLD_SIZE": "2", "LOCAL_RANK": "0"},
        ],
    )
    def test_a_half_set_environment_is_refused_with_what_it_holds(self, environment: dict[str, str]) -> None:
        with pytest.raises(MachineError) as caught:
            Ranks.from_environment(environment)
        assert str(environment) in str(caught.value)
        assert "torchrun" in str(caught.value)


class TestThreads:
    def test_a_number_is_set_as_given(self) -> None:
        assert machine.set_threads(3) == 3
        assert torch.get_num_threads() == 3

    def test_no_number_means_every_core(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.delenv("OMP_NUM_THREADS", raising=False)
        monkeypatch.setattr(machine, "physical_threads", lambda: 5)
        assert machine.set_threads(None) == 5
        assert torch.get_num_threads() == 5

    def test_no_number_leaves_what_the_environment_says(self, monkeypatch: pytest.MonkeyPatch) -> None:
        torch.set_num_threads(1)
        monkeypatch.setenv("OMP_NUM_THREADS", "1")
        monkeypatch.setattr(machine, "physical_threads", lambda: 5)
        assert machine.set_threads(None) == 1

    @pytest.mark.parametrize("count", [0, -2])
    def test_fewer_than_one_is_refused(self, count: int) -> None:
        with pytest.raises(SettingsError, match=f"threads is {count}"):
            machine.set_threads(count)

    @pytest.mark.parametrize(("quota", "threads"), [(None, 3), (8.0, 3), (2.0, 2), (1.5, 1), (0.5, 1)])
    def test_hyperthreads_count_once_and_the_containers_quota_limits(
        self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, quota: float | None, threads: int
    ) -> None:
        for processor, siblings in enumerate(["0,3", "1,4", "2", "0,3", "1,4"]):
            write(tmp_path / f"cpu{processor}/topology", thread_siblings_list=siblings)
        monkeypatch.setattr(machine, "_PROCESSORS", tmp_path)
        monkeypatch.setattr(machine, "_allowed_processors", lambda: {0, 1, 2, 3, 4})
        monkeypatch.setattr(machine, "container_limits", lambda: ContainerLimits(processors=quota))
        assert machine.physical_threads() == threads

    def test_never_more_than_the_processors_that_are_allowed(self) -> None:
        assert 1 <= machine.physical_threads() <= (os.cpu_count() or 1)


class TestContainerLimits:
    def test_version_2_takes_the_tightest_limit_on_the_way_up(self, tmp_path: Path) -> None:
        membership, root = tmp_path / "membership", tmp_path / "root"
        membership.write_text("0::/outer/inner\n")
        write(root / "outer", cpu__max="150000 100000", memory__max="5000", memory__current="4000")
        write(root / "outer/inner", cpu__max="max 100000", memory__max="max", memory__current="100")
        write(root / "other", cpu__max="1000 100000", memory__max="1", memory__current="1")
        assert container_limits(membership, root) == ContainerLimits(processors=1.5, memory=5000, memory_left=1000)

    def test_version_1_is_read_and_file_caches_do_not_count_as_used(self, tmp_path: Path) -> None:
        membership, root = tmp_path / "membership", tmp_path / "root"
        membership.write_text("3:cpu,cpuacct:/docker/a\n2:memory:/docker/a\n1:pids:/\n0::/\n")
        write(root / "cpu,cpuacct/docker/a", cpu__cfs_quota_us="200000", cpu__cfs_period_us="50000")
        write(root / "cpu,cpuacct", cpu__cfs_quota_us="-1", cpu__cfs_period_us="100000")
        write(root / "memory/docker/a", memory__limit_in_bytes="900", memory__usage_in_bytes="700")
        write(root / "memory/docker/a", memory__stat="cache 9\ntotal_inactive_file 300")
        assert container_limits(membership, root) == ContainerLimits(processors=4.0, memory=900, memory_left=500)

    def test_without_control_groups_nothing_is_limited(self, tmp_path: Path) -> None:
        assert container_limits(tmp_path / "absent", tmp_path / "none") == ContainerLimits()


class TestMemory:
    def test_what_is_available_is_some_and_no_more_than_all(self) -> None:
        assert 2**20 < memory_available() <= memory_total()

    def test_a_container_that_is_nearly_full_has_little_left(self, monkeypatch: pytest.MonkeyPatch) -> None:
        limits = ContainerLimits(memory=10_000, memory_left=300)
        monkeypatch.setattr(machine, "container_limits", lambda: limits)
        assert (memory_total(), memory_available()) == (10_000, 300)

    def test_a_container_over_its_limit_has_nothing_left(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(machine, "container_limits", lambda: ContainerLimits(memory=10, memory_left=-5))
        assert memory_available() == 0


ILLEGAL = "import os, signal; os.kill(os.getpid(), signal.SIGILL)"
CURED = "import os\nif 'ONEDNN_MAX_CPU_ISA' not in os.environ: os.kill(os.getpid(), 4)\n"
GOOD = 'print(\'{"error": 0.25, "speedup": 2.0}\')'


class TestBf16:
    @pytest.fixture(autouse=True)
    def no_instruction_limit(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.delenv("ONEDNN_MAX_CPU_ISA", raising=False)

    def test_a_trial_that_works_needs_no_cure(self) -> None:
        probe = probe_bf16(GOOD)
        assert probe == Bf16Probe(True, None, 2.0, "works, 2.0 times the speed of float32")
        assert probe.worth_it

    def test_where_bfloat16_is_slow_it_is_said_how_much_faster_float32_is(self) -> None:
        probe = probe_bf16('print(\'{"error": 0.25, "speedup": 0.025}\')')
        assert probe == Bf16Probe(True, None, 0.025, "works, but float32 is 40 times as fast")
        assert not probe.worth_it

    def test_a_trial_killed_by_an_illegal_instruction_is_a_verdict_and_not_our_death(self) -> None:
        probe = probe_bf16(ILLEGAL)
        assert not probe.works
        assert "SIGILL" in probe.reason

    def test_the_cure_is_tried_and_named(self) -> None:
        probe = probe_bf16(CURED + GOOD)
        assert probe.works
        assert probe.isa == "AVX512_CORE_BF16"
        assert "ONEDNN_MAX_CPU_ISA=AVX512_CORE_BF16" in probe.reason
        assert not probe.worth_it

    def test_a_wrong_product_does_not_count_as_working(self) -> None:
        probe = probe_bf16('print(\'{"error": NaN, "speedup": 2.0}\')')
        assert not probe.works
        assert "wrong by nan" in probe.reason

    def test_a_trial_that_fails_says_why(self) -> None:
        probe = probe_bf16("raise SystemExit('no such thing')")
        assert not probe.works
        assert "no such thing" in probe.reason

    def test_a_slow_bf16_is_not_worth_it(self) -> None:
        assert not Bf16Probe(True, None, 0.4, "works").worth_it

    @pytest.mark.slow
    def test_the_real_trial_ends_with_a_verdict(self) -> None:
        probe = probe_bf16()
        assert probe.works == (probe.speedup > 0)
        assert "the trial failed" not in probe.reason


@pytest.mark.slow
def test_doctor_measures_everything_within_its_time_and_leaves_the_threads_as_they_were() -> None:
    torch.set_num_threads(1)
    start = time.process_time()
    report = doctor()
    # Processor time: on a busy computer the clock on the wall says nothing about us. Two threads may count twice.
    assert time.process_time() - start < 10
    assert torch.get_num_threads() == 1
    assert report.heed == heed.__version__
    assert report.gflops_one_thread > 0
    assert report.gflops_all_threads > 0
    assert 0 < report.small_step < 1
    assert report.recommended_precision in ("float32", "bf16")
    assert report.recommended_threads in (1, report.threads)
    assert report.disk_free > 0
    text = "\n".join(report.lines())
    assert report.processor in text
    assert report.bf16.reason in text


def test_one_thread_is_recommended_when_more_bring_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    speeds = {1: 50.0, 4: 51.0}
    monkeypatch.setattr(machine, "physical_threads", lambda: 4)
    monkeypatch.setattr(machine, "_gflops", lambda threads: speeds[threads])
    monkeypatch.setattr(machine, "probe_bf16", lambda: Bf16Probe(False, None, 0.0, "no"))
    slow = doctor()
    speeds[4] = 150.0
    assert (slow.recommended_threads, doctor().recommended_threads) == (1, 4)
    assert slow.recommended_precision == "float32"
    assert "float32, 1 thread" in slow.lines()[-1]
    faster = dataclasses.replace(slow, recommended_threads=4)
    assert "4 threads" in faster.lines()[-1]


@pytest.mark.parametrize(
    ("maker", "capability", "expected"),
    [("AuthenticAMD", "AVX512", True), ("AuthenticAMD", "AVX2", False), ("GenuineIntel", "AVX512", False)],
)
def test_onednn_is_for_processors_that_mkl_does_not_know(
    maker: str, capability: str, expected: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(machine, "read_system_file", lambda _: f"processor: 0\nvendor_id: {maker}\n")
    monkeypatch.setattr("torch.backends.cpu.get_cpu_capability", lambda: capability)
    monkeypatch.setattr("torch.backends.mkldnn.is_available", lambda: True)
    assert gains_by_onednn.__wrapped__() is expected
    monkeypatch.setattr("torch.backends.mkldnn.is_available", lambda: False)
    assert gains_by_onednn.__wrapped__() is False
