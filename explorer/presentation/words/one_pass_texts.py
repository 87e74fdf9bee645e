"""Sentences on models that run once over a picture or some sound of a fixed size."""

from explorer.presentation.words.messages import QT_TRANSLATE_NOOP, register

register(
    {
        "model.one_picture": QT_TRANSLATE_NOOP(
            "messages",
            "One pass is over a picture of {height} x {width} pixels ({positions} positions); the context has no part "
            "in it.",
        ),
        "model.one_picture_plain": QT_TRANSLATE_NOOP(
            "messages", "One pass is over a picture of {height} x {width} pixels; the context has no part in it."
        ),
        "model.window_over_picture": QT_TRANSLATE_NOOP(
            "messages", "A window of {window} does not fit into the smallest stage, which is {side} wide or high."
        ),
        "model.diffusers_pipeline": QT_TRANSLATE_NOOP(
            "messages",
            "{value} is a pipeline of diffusers, which holds no sizes itself: those of its transformer stand in "
            "transformer/config.json. Diffusers' models are not read yet; a trace runs their code with your Python.",
        ),
        "model.diffusers_part": QT_TRANSLATE_NOOP(
            "messages",
            "{value} is a model of diffusers, which are not read yet. A quick model takes six figures of any model, "
            "and a trace runs its code with your Python.",
        ),
        "model.list_length": QT_TRANSLATE_NOOP("messages", "The list has {count} numbers, {expected} are expected."),
        "model.not_a_number": QT_TRANSLATE_NOOP("messages", "A number is expected."),
        "model.one_video": QT_TRANSLATE_NOOP(
            "messages",
            "One pass is over {frames} pictures of {height} x {width} pixels ({positions} positions); the context has "
            "no part in it.",
        ),
        "model.one_sound": QT_TRANSLATE_NOOP(
            "messages", "One pass is over {seconds} s of sound ({positions} positions); the context has no part in it."
        ),
        "model.encoder_hears": QT_TRANSLATE_NOOP("messages", "The encoder's input is {seconds} s of sound."),
        "model.one_point": QT_TRANSLATE_NOOP("messages", "Masks are drawn for one point in the picture."),
        "model.patches_fixed": QT_TRANSLATE_NOOP(
            "messages",
            "One pass is over a picture of {patches} patches, whatever its shape; the context has no part in it.",
        ),
        "model.one_text": QT_TRANSLATE_NOOP(
            "messages", "One pass is over the longest text, {tokens} tokens; the context has no part in it."
        ),
        "model.text_beside": QT_TRANSLATE_NOOP("messages", "Beside each picture one text of {tokens} tokens runs."),
        "model.text_beside_sound": QT_TRANSLATE_NOOP("messages", "Beside the sound one text of {tokens} tokens runs."),
        "model.recurrence_as_product": QT_TRANSLATE_NOOP(
            "messages",
            "The recurrence stands as one product over all frames; its steps wait for one another, so it takes longer. "
            "Codes are of the smallest bandwidth.",
        ),
        "model.fusion_idle": QT_TRANSLATE_NOOP(
            "messages", "What fuses the parts of a longer sound counts among the parameters alone."
        ),
        "model.class_assumed": QT_TRANSLATE_NOOP(
            "messages", "The config names no class in architectures; the model is counted as {name}."
        ),
        "model.patch_not_square": QT_TRANSLATE_NOOP(
            "messages", "Patches of {height} x {width} pixels are not supported, only square ones."
        ),
        "model.patch_over_picture": QT_TRANSLATE_NOOP(
            "messages", "A patch of {patch} pixels does not fit into a picture of {height} x {width}."
        ),
    }
)
