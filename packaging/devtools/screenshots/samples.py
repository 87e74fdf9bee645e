"""What the pictures show beside the examples: a study with measurements, and another tool's file."""

from msgspec.structs import replace

from explorer.analysis.study.study import Measurement, Study

# XiongjieDai/GPU-Benchmarks-on-LLM-Inference, notebook of an A100 SXM
LLAMA_BENCH = """
  Device 0: NVIDIA A100-SXM4-80GB, compute capability 8.0, VMM: yes
| model                          |       size |     params | backend    | ngl | test       |              t/s |
| ------------------------------ | ---------: | ---------: | ---------- | --: | ---------- | ---------------: |
| llama 8B Q4_K - Medium         |   4.58 GiB |     8.03 B | CUDA       |  99 | pp 512     |  5947.64 ± 17.92 |
| llama 8B Q4_K - Medium         |   4.58 GiB |     8.03 B | CUDA       |  99 | tg 512     |    135.04 ± 0.15 |
| llama 8B Q4_K - Medium         |   4.58 GiB |     8.03 B | CUDA       |  99 | broken     |        none      |
"""


def with_measurements(study: Study) -> Study:
    """Operators timed on the first device, a whole step, and kernels that a profiler counted."""
    device = study.hardware[0].id
    timed = tuple(
        Measurement(
            id=row, name=row, row=row, device=device, time_s=t, quartiles_s=(0.9 * t, 1.3 * t), runs=50,
            phase="decode", batch=8, context=4096, tool="torch",
        )
        for row, t in (("q_proj", 14e-6), ("gate_proj", 47e-6), ("attention", 80e-6), ("down_proj", 30e-6))
    )  # fmt: skip
    step = Measurement(
        id="step", name="vLLM", device=device, tokens_per_s=870, phase="decode", batch=8, context=4096, tool="vllm"
    )
    kernels = tuple(
        Measurement(
            id=f"kernel {i}", name=f"kernel {i}", device=device, time_s=b / 2.6e12 + 5e-6, flops=20 * b, bytes=b,
            format="bf16", memory_busy=0.35, compute_busy=0.05, tool="ncu",
        )
        for i, b in enumerate((1e6, 1e7, 1e8, 1e9))
    )  # fmt: skip
    return replace(study, measurements=(*timed, step, *kernels))
