"""The computer at hand: threads, memory, seeds, ranks, and what `heed doctor` measures.

Numbers of processors and bytes are those that this process may use: a container's limits (cgroups) count, not only
what the computer has. Nothing here prints.
"""

import json
import os
import platform
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Self

import torch
from torch import nn

from heed import __version__
from heed.cgroups import container_limits, read_system_file
from heed.errors import MachineError, SettingsError

# On some virtual machines the processor announces AMX, but its instructions trap; oneDNN up to this level avoids them.
SAFE_ISA = "AVX512_CORE_BF16"

_PROCESSORS = Path("/sys/devices/system/cpu")

# A trapped instruction ends the process without a Python error, so this runs in a child. Sizes large enough that
# oneDNN picks the kernels that training would use.
_BF16_PROGRAM = """
import json, resource, time
resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
import torch
def seconds(a, b):
    taken = []
    for _ in range(8):
        start = time.perf_counter()
        a @ b
        taken.append(time.perf_counter() - start)
    return min(taken)
torch.manual_seed(0)
a, b = torch.randn(512, 512), torch.randn(512, 512)
error = ((a.bfloat16() @ b.bfloat16()).float() - a @ b).abs().max().item()
print(json.dumps({"error": error, "speedup": seconds(a, b) / seconds(a.bfloat16(), b.bfloat16())}))
"""


@dataclass(frozen=True)
class Ranks:
    """Which of how many processes this one is; torchrun says so through the environment."""

    rank: int = 0
    world_size: int = 1
    local_rank: int = 0  # within this computer

    @classmethod
    def from_environment(cls, environment: Mapping[str, str] = os.environ) -> Self:
        """Return what torchrun set, or rank 0 of 1 without it."""
        names = ("RANK", "WORLD_SIZE", "LOCAL_RANK")
        given = {name: environment[name] for name in names if name in environment}
        if not given:
            return cls()
        try:
            rank, world_size, local_rank = (int(given[name]) for name in names)
        except (KeyError, ValueError):
            rank, world_size, local_rank = 0, 0, 0
        if not 0 <= local_rank <= rank < world_size:
            raise MachineError(f"The environment has {given}. Set none of {', '.join(names)}, or start with torchrun.")
        return cls(rank, world_size, local_rank)

    @property
    def is_first(self) -> bool:
        """Whether this process is the one that writes files and reports."""
        return self.rank == 0


def set_threads(count: int | None = None) -> int:
    """Set the threads that torch uses and return their number; None means OMP_NUM_THREADS, or else every core."""
    if count is None:
        count = torch.get_num_threads() if os.environ.get("OMP_NUM_THREADS") else physical_threads()
    if count < 1:
        raise SettingsError(f"The number of threads is {count}. Use 1 or more.")
    torch.set_num_threads(count)
    return count


def physical_threads() -> int:
    """Return the cores that this process may use; two hyperthreads of one core count as one."""
    cores = len({_siblings(processor) for processor in _allowed_processors()})
    quota = container_limits().processors
    return max(1, cores if quota is None else min(cores, int(quota)))


def memory_total() -> int:
    """Return the bytes of memory that this process could ever have."""
    physical = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    return min(physical, container_limits().memory or physical)


def memory_available() -> int:
    """Return the bytes of memory that this process can take now without swapping."""
    free = memory_total()
    for line in read_system_file(Path("/proc/meminfo")).splitlines():
        if line.startswith("MemAvailable:"):
            free = min(free, int(line.split()[1]) * 1024)
    left = container_limits().memory_left
    return max(0, free if left is None else min(free, left))


@cache
def gains_by_onednn() -> bool:
    """Tell whether oneDNN multiplies 32-bit floats faster than MKL, which torch asks: on AMD's processors with AVX-512.

    A rule and no measurement, which might end otherwise when a run goes on: then it would not be the same bit for bit.
    """
    has_onednn: bool = torch.backends.mkldnn.is_available()  # type: ignore[no-untyped-call]
    is_amd = "AuthenticAMD" in read_system_file(Path("/proc/cpuinfo"))[:1000]
    return has_onednn and is_amd and torch.backends.cpu.get_cpu_capability() == "AVX512"


def _allowed_processors() -> set[int]:
    if hasattr(os, "sched_getaffinity"):  # Linux only
        return os.sched_getaffinity(0)
    return set(range(os.cpu_count() or 1))


def _siblings(processor: int) -> str:
    """Return a name that all hyperthreads of one core share."""
    return read_system_file(_PROCESSORS / f"cpu{processor}/topology/thread_siblings_list").strip() or str(processor)


@dataclass(frozen=True)
class Bf16Probe:
    """Whether bfloat16 runs here without killing the process, and what it gains."""

    works: bool
    isa: str | None  # the value that ONEDNN_MAX_CPU_ISA must have for it to work, if any
    speedup: float  # of a matrix product over float32; 0 when it does not work
    reason: str

    @property
    def worth_it(self) -> bool:
        """Whether it works as it is and is clearly faster."""
        return self.works and self.isa is None and self.speedup > 1.5


def probe_bf16(program: str = _BF16_PROGRAM) -> Bf16Probe:
    """Try bfloat16 in a child process, and again with the newest instructions switched off if that one dies."""
    first = _run_bf16(program, isa=None)
    if first.works or "SIGILL" not in first.reason:
        return first
    second = _run_bf16(program, isa=SAFE_ISA)
    return second if second.works else first


def _run_bf16(program: str, isa: str | None) -> Bf16Probe:
    environment = os.environ if isa is None else {**os.environ, "ONEDNN_MAX_CPU_ISA": isa}
    try:
        # -P: a torch.py in the current folder must not be taken for torch.
        command = [sys.executable, "-P", "-c", program]
        child = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=60, check=False)
    except subprocess.TimeoutExpired:
        return Bf16Probe(False, isa, 0.0, "the trial did not end within 60 seconds")
    if child.returncode < 0:
        name = signal.Signals(-child.returncode).name
        return Bf16Probe(False, isa, 0.0, f"a matrix product in bfloat16 killed the trial process ({name})")
    if child.returncode > 0:
        return Bf16Probe(False, isa, 0.0, f"the trial failed: {child.stderr.strip()[-200:]}")
    result = json.loads(child.stdout)
    if not result["error"] < 1.0:  # the products have a spread of 23; 8 bits of precision leave errors of about 0.3
        return Bf16Probe(False, isa, 0.0, f"a matrix product in bfloat16 was wrong by {result['error']:.3g}")
    needs = "" if isa is None else f" with ONEDNN_MAX_CPU_ISA={isa} in the environment"
    return Bf16Probe(True, isa, result["speedup"], f"works{needs}, {_beside_float32(result['speedup'])}")


def _beside_float32(speedup: float) -> str:
    if speedup >= 0.95:
        return f"{speedup:.1f} times the speed of float32"
    # A processor without such instructions does them step by step.
    return f"but float32 is {1 / max(speedup, 1e-3):.3g} times as fast"


@dataclass(frozen=True)
class MachineReport:
    """What `heed doctor` found."""

    heed: str
    python: str
    torch: str
    processor: str
    threads: int  # cores that this process may use
    memory_total: int  # bytes
    memory_available: int  # bytes
    disk_free: int  # bytes, in the current folder
    gflops_one_thread: float  # float32 matrix product
    gflops_all_threads: float
    small_step: float  # seconds for one training step of a model so small that only overhead is left
    bf16: Bf16Probe
    recommended_precision: str
    recommended_threads: int

    def lines(self) -> list[str]:
        """Return the report for people, a line for each finding."""
        gigabyte, several = 1e9, "s" if self.recommended_threads > 1 else ""
        return [
            f"versions     heed {self.heed}, Python {self.python}, torch {self.torch}",
            f"processor    {self.processor}, {self.threads} usable core{'s' if self.threads > 1 else ''}",
            f"memory       {self.memory_available / gigabyte:.1f} GB free of {self.memory_total / gigabyte:.1f} GB",
            f"disk         {self.disk_free / gigabyte:.1f} GB free in this folder",
            f"speed        {self.gflops_one_thread:.0f} GFLOPS with one thread, {self.gflops_all_threads:.0f} with all",
            f"small step   {self.small_step * 1e3:.2f} ms: no training step can be shorter",
            f"bfloat16     {self.bf16.reason}",
            f"recommended  {self.recommended_precision}, {self.recommended_threads} thread{several}",
        ]


def doctor() -> MachineReport:
    """Measure the computer for a few seconds and recommend threads and precision."""
    before = torch.get_num_threads()
    threads = physical_threads()
    try:
        one, every = _gflops(threads=1), _gflops(threads)
        small_step = _small_step()
    finally:
        torch.set_num_threads(before)
    bf16 = probe_bf16()
    return MachineReport(
        heed=__version__,
        python=platform.python_version(),
        torch=str(torch.__version__),
        processor=_processor_name(),
        threads=threads,
        memory_total=memory_total(),
        memory_available=memory_available(),
        disk_free=shutil.disk_usage(Path.cwd()).free,
        gflops_one_thread=one,
        gflops_all_threads=every,
        small_step=small_step,
        bf16=bf16,
        recommended_precision="bf16" if bf16.worth_it else "float32",
        # Other programs on the same cores can make more threads slower than one.
        recommended_threads=threads if every > 1.2 * one else 1,
    )


def _gflops(threads: int) -> float:
    torch.set_num_threads(threads)
    size = 1024
    left, right = torch.randn(size, size), torch.randn(size, size)
    return 2 * size**3 / _median_seconds(lambda: left @ right, budget=0.5) / 1e9


def _small_step() -> float:
    """Return the seconds of a training step whose arithmetic is next to nothing."""
    model = nn.Sequential(nn.Linear(8, 8), nn.ReLU(), nn.Linear(8, 8))
    optimizer = torch.optim.AdamW(model.parameters())
    inputs = torch.randn(2, 8)

    def step() -> None:
        optimizer.zero_grad()
        model(inputs).square().mean().backward()
        optimizer.step()

    return _median_seconds(step, budget=0.3)


def _median_seconds(act: Callable[[], object], budget: float) -> float:
    act()  # the first call pays for memory and threads
    end = time.perf_counter() + budget
    seconds: list[float] = []
    while time.perf_counter() < end or len(seconds) < 3:
        start = time.perf_counter()
        act()
        seconds.append(time.perf_counter() - start)
    return sorted(seconds)[len(seconds) // 2]


def _processor_name() -> str:
    for line in read_system_file(Path("/proc/cpuinfo")).splitlines():
        if line.startswith("model name"):
            return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()
