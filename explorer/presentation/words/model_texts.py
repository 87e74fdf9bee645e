"""Sentences on models: faults of a config, and what a model assumes."""

from explorer.presentation.words.messages import QT_TRANSLATE_NOOP, register

register(
    {
        "config.syntax": QT_TRANSLATE_NOOP("messages", "Line {line}, column {column} is not valid JSON: {reason}."),
        "config.too_deep": QT_TRANSLATE_NOOP(
            "messages", "The values are nested more than {limit} levels deep; this is no model config."
        ),
        "config.not_an_object": QT_TRANSLATE_NOOP(
            "messages", "The file must hold one JSON object, as config.json of a model does."
        ),
        "neighbour.adapter": QT_TRANSLATE_NOOP(
            "messages", "An adapter ({kind}) of {base}: load that model's config.json; an adapter alone is no model."
        ),
        "neighbour.adapter_sized": QT_TRANSLATE_NOOP(
            "messages",
            "An adapter ({kind}) of {base}: load that model's config.json. Kept apart, its rank {rank} adds "
            "{parameters:,} parameters, {megabytes} MB in 16 bit; merged, it adds none.",
        ),
        "neighbour.adapter_alone": QT_TRANSLATE_NOOP(
            "messages", "An adapter ({kind}), which does not name its model: load the config.json of that model."
        ),
        "neighbour.genai": QT_TRANSLATE_NOOP(
            "messages",
            "A configuration of ONNX Runtime GenAI: load the config.json of the model that it was exported from.",
        ),
        "neighbour.pipeline": QT_TRANSLATE_NOOP(
            "messages",
            "A diffusers pipeline ({name}), which is several models: its text encoder has a config.json of its own, "
            "which can be loaded; trace the others with your Python.",
        ),
        "neighbour.component": QT_TRANSLATE_NOOP(
            "messages",
            "A part of a diffusers pipeline ({name}), which is not read here: trace it with your Python, or type its "
            "operators.",
        ),
        "neighbour.index": QT_TRANSLATE_NOOP(
            "messages",
            "An index of weights, which says in what file each tensor lies: load the config.json beside it, or the "
            "folder.",
        ),
        "neighbour.tokenizer": QT_TRANSLATE_NOOP(
            "messages", "A file of the tokenizer: load the config.json beside it, or the folder."
        ),
        "neighbour.processor": QT_TRANSLATE_NOOP(
            "messages",
            "This says how images or sound are prepared for a model: load the config.json beside it, or the folder.",
        ),
        "neighbour.generation": QT_TRANSLATE_NOOP(
            "messages", "This says how text is sampled: load the config.json beside it, or the folder."
        ),
        "neighbour.sentences": QT_TRANSLATE_NOOP(
            "messages",
            "A file of Sentence Transformers: load the config.json of the encoder, beside it or in its first folder.",
        ),
        "neighbour.quantisation": QT_TRANSLATE_NOOP(
            "messages",
            "This says how weights are quantised: load the config.json beside it, or the folder, and it is read too.",
        ),
        "params.unread": QT_TRANSLATE_NOOP(
            "messages", "This field of params.json is not read here and may change the model; load its config.json."
        ),
        "params.number": QT_TRANSLATE_NOOP("messages", "A number above 0 is expected here in params.json."),
        "params.vocabulary": QT_TRANSLATE_NOOP(
            "messages",
            "params.json leaves the size of the vocabulary to the tokenizer; write it there (32000 for Llama 2).",
        ),
        "config.not_an_object_inside": QT_TRANSLATE_NOOP(
            "messages", "An object is expected here, which says how the weights are quantised."
        ),
        "config.quantised_twice": QT_TRANSLATE_NOOP(
            "messages", "{file} and {other} differ on how the weights are quantised ({field}); keep the one that holds."
        ),
        "config.none_in_folder": QT_TRANSLATE_NOOP(
            "messages", "The folder {folder} holds no {file}; choose the folder of a model."
        ),
        "config.not_finite": QT_TRANSLATE_NOOP("messages", "{value} is no finite number; write a number or null."),
        "config.too_many_digits": QT_TRANSLATE_NOOP("messages", "The number {value} has too many digits."),
        "config.duplicate_key": QT_TRANSLATE_NOOP(
            "messages", "The key {key} stands twice in one object; remove one of them."
        ),
        "model.type_unknown": QT_TRANSLATE_NOOP(
            "messages",
            "The model type {value} is not supported; the nearest that are: {near}. "
            "A quick model takes six figures of any model, and a trace runs its code with your Python.",
        ),
        "model.type_alone": QT_TRANSLATE_NOOP(
            "messages",
            "The model type {value} is not supported, nor one of a name like it. "
            "A quick model takes six figures of any model, and a trace runs its code with your Python.",
        ),
        "model.no_type": QT_TRANSLATE_NOOP(
            "messages",
            "This field is missing, which says how a config is to be read: choose the config.json beside the weights. "
            "A quick model takes six figures of any model, and a trace runs its code with your Python.",
        ),
        "model.missing": QT_TRANSLATE_NOOP("messages", "This field is missing; add it to the config."),
        "model.not_an_object": QT_TRANSLATE_NOOP("messages", "An object is expected, not {value}."),
        "model.not_a_whole_number": QT_TRANSLATE_NOOP("messages", "A whole number is expected, not {value}."),
        "model.out_of_range": QT_TRANSLATE_NOOP(
            "messages", "The number must lie between {least} and {most}, not at {value}."
        ),
        "model.not_a_flag": QT_TRANSLATE_NOOP("messages", "true or false is expected, not {value}."),
        "model.not_a_text": QT_TRANSLATE_NOOP("messages", "Text is expected, not {value}."),
        "model.not_a_fraction": QT_TRANSLATE_NOOP("messages", "A number above 0 and up to 1 is expected, not {value}."),
        "model.not_a_list": QT_TRANSLATE_NOOP(
            "messages", "A list of the right kind of values is expected, not {value}."
        ),
        "model.heads_not_divisible": QT_TRANSLATE_NOOP(
            "messages", "{heads} attention heads cannot share {kv} key-value heads evenly."
        ),
        "model.hidden_not_divisible": QT_TRANSLATE_NOOP(
            "messages", "A width of {hidden} does not divide by {heads} heads; state head_dim."
        ),
        "model.top_k_over_experts": QT_TRANSLATE_NOOP("messages", "A token cannot use {top_k} of {experts} experts."),
        "model.variant_unread": QT_TRANSLATE_NOOP(
            "messages", "{value} is a variant that is not built exactly here; known: {known}."
        ),
        "model.rotary_over_head": QT_TRANSLATE_NOOP(
            "messages", "A head of {head} values cannot have {rotary} of them rotated."
        ),
        "model.activation_unknown": QT_TRANSLATE_NOOP(
            "messages", "The activation {value} is not known here; known are: {known}."
        ),
        "model.layer_type_unknown": QT_TRANSLATE_NOOP(
            "messages", "The layer type {value} is not supported; supported are: {known}."
        ),
        "model.layer_types_count": QT_TRANSLATE_NOOP("messages", "{count} layer types are listed for {layers} layers."),
        "model.window_missing": QT_TRANSLATE_NOOP("messages", "Layers with a window need this size; it is null."),
        "model.dtype_unknown": QT_TRANSLATE_NOOP(
            "messages", "The data type {value} is not known here; known are: {known}."
        ),
        "model.phase_unknown": QT_TRANSLATE_NOOP("messages", "A model has no phase “{phase}”."),
        "model.mixed_groups": QT_TRANSLATE_NOOP(
            "messages", "{model} cannot run sequences of different lengths in one step; give one batch and one context."
        ),
        "model.no_decode": QT_TRANSLATE_NOOP(
            "messages", "{model} writes no text: it has no decode, only one pass over its whole input (prefill)."
        ),
        "model.encoder_only": QT_TRANSLATE_NOOP(
            "messages",
            "An encoder: prefill is its one pass over the text, every token sees every other, and nothing is cached.",
        ),
        "model.encoder_then_decoder": QT_TRANSLATE_NOOP(
            "messages",
            "Prefill is the encoder over the context, decode one step of the decoder; "
            "decode takes the encoder's input and the tokens written so far each as long as the context. "
            "KV per token is the decoder's self-attention alone.",
        ),
        "model.encoder_of_fixed_length": QT_TRANSLATE_NOOP(
            "messages",
            "Prefill is the encoder over its {tokens} positions, whatever the context; "
            "decode is one step of the decoder, which has written as many tokens as the context. "
            "KV per token is its self-attention alone.",
        ),
        "model.expert_capacity": QT_TRANSLATE_NOOP(
            "messages", "Every token is worked on by its expert; the class drops those beyond an expert's capacity."
        ),
        "model.global_tokens": QT_TRANSLATE_NOOP(
            "messages",
            "No token is counted as global: with any, every layer projects and attends once more. "
            "Texts are filled up to whole windows, as the class does.",
        ),
        "model.pictures_not_run": QT_TRANSLATE_NOOP(
            "messages", "A pass is that of the text alone; the parts that take in a picture are held, not run."
        ),
        "model.one_pass": QT_TRANSLATE_NOOP(
            "messages", "It writes no text: prefill is its one pass, and nothing is cached after it."
        ),
        "model.head_left_out": QT_TRANSLATE_NOOP(
            "messages",
            "The head of masked-language modelling is left out; with it, in place of a pooler, "
            "there are {parameters} parameters.",
        ),
        "model.head_unknown": QT_TRANSLATE_NOOP(
            "messages", "What the class {value} has behind its layers is not known here; its base class is counted."
        ),
        "model.class_unknown": QT_TRANSLATE_NOOP(
            "messages",
            "What the class {value} has behind its layers is not known here; the head of a language model is counted.",
        ),
        "model.classifies": QT_TRANSLATE_NOOP(
            "messages",
            "{value} has a classifier in place of a language model's head: its one pass is prefill, without decode.",
        ),
        "model.without_head": QT_TRANSLATE_NOOP(
            "messages", "{value} has no head: a step ends with the last layer and its norm."
        ),
        "model.format_unknown": QT_TRANSLATE_NOOP(
            "messages", "No number format is named “{format}”; use one of: {known}."
        ),
        "model.rough": QT_TRANSLATE_NOOP(
            "messages", "Quick model: rough, from its parameters and its KV cache alone; activations are left out."
        ),
        "model.defaults": QT_TRANSLATE_NOOP(
            "messages", "Not in the config, as the transformers library has it: {fields}."
        ),
        "model.dtype_assumed": QT_TRANSLATE_NOOP("messages", "The config names no data type; {format} is assumed."),
        "model.latent_attention": QT_TRANSLATE_NOOP(
            "messages", "Latent attention (MLA) is expanded in prefill and absorbed into the latent space in decode."
        ),
        "model.mtp_left_out": QT_TRANSLATE_NOOP(
            "messages", "Multi-token prediction layers ({layers}) are left out: plain decode does not run them."
        ),
        "model.mtp_counted_apart": QT_TRANSLATE_NOOP(
            "messages",
            "Multi-token prediction layers ({layers}, {parameters:,} parameters beside the shared embedding and head) "
            "are counted apart: plain decode does not run them.",
        ),
        "model.vision_counted": QT_TRANSLATE_NOOP(
            "messages",
            "The vision tower ({parameters:,} parameters) counts in the parameters, also the active, and in memory; "
            "text steps do not run it.",
        ),
        "model.shared_layers": QT_TRANSLATE_NOOP(
            "messages", "{shared} layers without a cache of their own leave none of the {layers} layers to fill one."
        ),
        "model.shared_kinds": QT_TRANSLATE_NOOP(
            "messages", "The {shared} layers without a cache of their own look further than any layer that fills one."
        ),
        "model.vision_not_counted": QT_TRANSLATE_NOOP(
            "messages", "The vision tower of this config is not known exactly: it is left out, the text is counted."
        ),
        "model.audio_left_out": QT_TRANSLATE_NOOP(
            "messages", "The tower for sound is left out: its parameters are not counted."
        ),
        "model.image_layers": QT_TRANSLATE_NOOP(
            "messages",
            "{layers} layers look at an image alone: a text step passes them by, and each token of an image leaves "
            "{values:,} values in their cache, whatever is written after it.",
        ),
        "model.speech_counted": QT_TRANSLATE_NOOP(
            "messages",
            "What speaks ({parameters:,} parameters) counts in the parameters, also the active, and in memory; "
            "text steps do not run it.",
        ),
        "model.adapter_left_out": QT_TRANSLATE_NOOP(
            "messages", "Adapters that run with an image or with sound alone (LoRA) are not counted."
        ),
        "model.audio_not_described": QT_TRANSLATE_NOOP(
            "messages", "The config describes no tower for sound; it is not counted."
        ),
        "model.audio_counted": QT_TRANSLATE_NOOP(
            "messages",
            "The tower for sound ({parameters:,} parameters) counts in the parameters, also the active, and in memory; "
            "text steps do not run it.",
        ),
        "model.vision_left_out": QT_TRANSLATE_NOOP(
            "messages", "The config describes no vision tower; only the text model is counted."
        ),
        "model.input_quantised": QT_TRANSLATE_NOOP(
            "messages",
            "Linear layers multiply in {format}: their inputs are quantised on the fly, "
            "all other activations stay {stored}.",
        ),
        "model.input_quantised_in_part": QT_TRANSLATE_NOOP(
            "messages",
            "Of the {total:,} weights of linear layers {values:,} multiply in {format}: their inputs are quantised on "
            "the fly, all other activations stay {stored}.",
        ),
        "model.quantisation_unread": QT_TRANSLATE_NOOP(
            "messages",
            "The quantisation method {method} is not read; what the file does not tell counts as {format}.",
        ),
    }
)
