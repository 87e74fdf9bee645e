"""Sentences on mixes of formats, whose tensors llama.cpp's rules choose, and on sizes of files."""

from explorer.presentation.words.messages import QT_TRANSLATE_NOOP, register

register(
    {
        "model.mix": QT_TRANSLATE_NOOP(
            "messages",
            "{mix}: each tensor has the type that llama.cpp's rules give it, {bytes:,} bytes in all; "
            "the file's header is a few MB more.",
        ),
        "model.mix_nearest": QT_TRANSLATE_NOOP(
            "messages",
            "{mix} has rules of its publisher's own, which are not known here: tensors count as in {rules}, "
            "the nearest mix of llama.cpp's ({bytes:,} bytes); give the file or its size for its own bytes.",
        ),
        "model.mix_ends": QT_TRANSLATE_NOOP(
            "messages", "{mix} is {rules} with the embedding and the output in Q8_0, as its publishers make it."
        ),
        "model.mix_imatrix": QT_TRANSLATE_NOOP(
            "messages", "{rules} as made with an importance matrix; without one some tensors are larger or smaller."
        ),
        "model.mix_no_imatrix": QT_TRANSLATE_NOOP(
            "messages", "{rules} as made without an importance matrix; made with one it is i1-{rules}."
        ),
        "model.mix_experts": QT_TRANSLATE_NOOP(
            "messages", "The experts stay in MXFP4, as the checkpoint has them: files of every mix keep that."
        ),
        "model.mix_text_only": QT_TRANSLATE_NOOP(
            "messages", "The vision tower is a file of its own beside a mix, and is not counted."
        ),
        "model.mix_rough": QT_TRANSLATE_NOOP(
            "messages",
            "{mix} is taken as {bits:.2f} bits a weight, as in Llama-3.1-8B; "
            "the share of large tensors, and so the bits, differ by model.",
        ),
    }
)
