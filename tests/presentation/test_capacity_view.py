"""Does it fit, in words."""

from explorer.analysis.step.evaluate import Evaluation, evaluate
from explorer.analysis.study.study import HardwareEntry, Study, View, Workload
from explorer.files.catalogue import load_catalogue
from explorer.presentation.explain.explain import explain
from explorer.presentation.look import Look
from explorer.presentation.views.capacity import capacity_sentences
from explorer.report.console import evaluation_text

CATALOGUE = load_catalogue()
H100 = CATALOGUE.device_by_id["nvidia-h100-sxm5-80gb"]


def shown(preset: str, count: int = 1, **work) -> Evaluation:
    model = next(p for p in CATALOGUE.presets if p.id == preset)
    hardware = (HardwareEntry(id="h", device=H100, count=count),)
    view = View(active_hardware="h")
    study = Study(models=(model,), active_model=model.id, hardware=hardware, workload=Workload(**work), view=view)
    return evaluate(study, CATALOGUE)


def test_what_does_not_fit_names_the_bytes_the_devices_and_the_limits_there():
    evaluation = shown("llama-3.1-70b")
    assert capacity_sentences(evaluation, evaluation.devices[0]) == [
        (
            "Llama-3.1-70B with bf16 weights does not fit on one H100 SXM5: 141.8 of 85.9 GB at batch 1, "
            "context 2,048 (weights 141 GB, KV 671 MB); it fits on 2 H100 SXM5."
        ),
        "Longest context at batch 1 on 2 H100 SXM5: 93,662 tokens.",
        "Largest batch at context 2,048 on 2 H100 SXM5: 45.",
        (
            "At the model's longest context, 131,072 tokens, batch 1 takes 184 GB (weights 141 GB, KV 42.9 GB): "
            "3 H100 SXM5."
        ),
    ]


def test_what_fits_says_so_and_sizes_follow_the_unit():
    evaluation = shown("llama-3.1-8b", batch=8, context=8192)
    first = capacity_sentences(evaluation, evaluation.devices[0], Look(unit="GiB"))[0]
    assert first.startswith("Llama-3.1-8B with bf16 weights fits on one H100 SXM5: 22.96 of 80.0 GiB")


def test_room_beyond_the_models_own_context_is_said():
    evaluation = shown("deepseek-v3", count=16)
    assert any("more than the 163,840 of the model" in s for s in capacity_sentences(evaluation, evaluation.devices[0]))


def test_terminal_and_inspector_say_the_same():
    evaluation = shown("llama-3.1-70b")
    told = capacity_sentences(evaluation, evaluation.devices[0])
    text = " ".join(evaluation_text(evaluation).split())
    assert all(sentence in text for sentence in told)
    sources = [line.source for line in explain(evaluation, total="memory_bytes").lines]
    assert all(sentence in sources for sentence in told)
