"""Sentences on models with experts, states, sparse attention or vision towers, and on how checkpoints are quantised."""

from explorer.presentation.words.messages import QT_TRANSLATE_NOOP, register

register(
    {
        "model.index_missing": QT_TRANSLATE_NOOP(
            "messages", "The first layer needs an index of its own; only later layers can share one."
        ),
        "model.pattern_unread": QT_TRANSLATE_NOOP(
            "messages", "The pattern {value} does not say what each layer is, one letter per layer."
        ),
        "model.sliding_size_differs": QT_TRANSLATE_NOOP(
            "messages", "Layers with a window have another size ({value}) than the others; this is not supported."
        ),
        "model.not_of_this_family": QT_TRANSLATE_NOOP(
            "messages", "The value {value} is not one that models of this family have; it is not supported."
        ),
        "model.two_names": QT_TRANSLATE_NOOP(
            "messages",
            "{first} is {value}, and {other} stands here: both name the same field. Delete the one that is wrong.",
        ),
        "model.inner_size_differs": QT_TRANSLATE_NOOP(
            "messages", "The inner size {stated} is not expand x hidden_size = {derived}."
        ),
        "model.rwkv_version": QT_TRANSLATE_NOOP("messages", "RWKV of version {value} is not supported; 5_2 is."),
        "model.not_a_multiple": QT_TRANSLATE_NOOP(
            "messages", "A multiple of the width, above 0 and up to 100, is expected, not {value}."
        ),
        "model.vision_width": QT_TRANSLATE_NOOP(
            "messages", "The vision tower hands over {stated} values, but the text model takes {hidden}."
        ),
        "model.vision_unknown": QT_TRANSLATE_NOOP(
            "messages", "The vision tower {value} is not supported; the config of the text model can be loaded alone."
        ),
        "model.audio_unknown": QT_TRANSLATE_NOOP(
            "messages",
            "The audio tower {value} is not supported; the config of the text model can be loaded alone.",
        ),
        "model.text_unknown": QT_TRANSLATE_NOOP(
            "messages", "The text model {value} is not supported inside this model."
        ),
        "model.sparse_attention": QT_TRANSLATE_NOOP(
            "messages",
            "Sparse attention: each query reads at most {tokens} tokens; "
            "the whole cache and the index keys stay in memory, and every step reads all index keys.",
        ),
        "model.compressed_attention": QT_TRANSLATE_NOOP(
            "messages",
            "Attention reads a window and compressed entries, of which an index picks at most {tokens}; "
            "buffers of entries not yet complete count as state.",
        ),
        "model.sparse_config_unread": QT_TRANSLATE_NOOP(
            "messages", "The config allows sparse attention for long contexts; it is counted as full attention."
        ),
        "model.states_counted": QT_TRANSLATE_NOOP(
            "messages",
            "Recurrent layers hold a state instead of a cache; each step reads and writes it once, "
            "in fp32, and the last inputs of convolutions in the activation format.",
        ),
        "model.zero_experts": QT_TRANSLATE_NOOP(
            "messages",
            "Of the router's {choices} choices {zero} hand a token on as it is: of {picks} picks {used} on average are "
            "experts, and so they are counted.",
        ),
        "model.cross_attention_idle": QT_TRANSLATE_NOOP(
            "messages",
            "Cross-attention counts among the parameters alone: the encoder that it reads is not part of this config.",
        ),
        "model.codec_beside": QT_TRANSLATE_NOOP(
            "messages", "The codec that makes sound of the codes counts among the parameters alone."
        ),
        "model.frames_a_step": QT_TRANSLATE_NOOP(
            "messages",
            "A step of the decoder writes {frames} frames of the spectrum; what smooths the finished one counts among "
            "the parameters alone, and what makes sound of it is a model apart.",
        ),
        "model.patches": QT_TRANSLATE_NOOP(
            "messages",
            "A token is a patch of bytes here: steps run the global transformer over patches, with a cache that "
            "the transformers library does not keep; what works on bytes counts among the parameters alone.",
        ),
        "model.text_encoder_alone": QT_TRANSLATE_NOOP(
            "messages",
            "Rows are of the text's encoder alone, over {tokens} characters; what makes sound of them counts among the "
            "parameters, for its length depends on the text.",
        ),
        "model.semantic_alone": QT_TRANSLATE_NOOP(
            "messages",
            "The coarse and fine acoustic models and the codec count among the parameters alone; "
            "steps run the semantic model.",
        ),
        "model.codec_idle": QT_TRANSLATE_NOOP(
            "messages",
            "The codec and the decoder of the further codebooks count among the parameters alone; "
            "steps run the backbone.",
        ),
        "model.no_cache_kept": QT_TRANSLATE_NOOP(
            "messages",
            "The transformers library keeps no cache for this model and works the whole text out anew for each token; "
            "decode is counted as with a cache.",
        ),
        "model.head_untied": QT_TRANSLATE_NOOP(
            "messages", "The head is counted beside the embedding, as checkpoints of this family have it."
        ),
        "model.patterns_unread": QT_TRANSLATE_NOOP(
            "messages", "These patterns, which say what is quantised, cannot be read here: {patterns}."
        ),
        "model.patterns_many": QT_TRANSLATE_NOOP(
            "messages",
            "These are too many patterns of module names to be read here: together they count {effort:,} "
            "of at most {limit:,} (an expression 2 for each part, a wildcard up to 15, a plain name nothing).",
        ),
        "model.formats_idle": QT_TRANSLATE_NOOP(
            "messages", "The config gives {formats} to modules that this model does not have; nothing is counted so."
        ),
        "model.faults_more": QT_TRANSLATE_NOOP("messages", "{count:,} more faults of other kinds are not listed."),
        "model.quantised_twice": QT_TRANSLATE_NOOP(
            "messages",
            "The config says twice how its weights are quantised, here and in another field, and they differ; "
            "keep the one that holds.",
        ),
        "model.entries_many": QT_TRANSLATE_NOOP(
            "messages", "{count:,} modules have values of their own here, too many to be read; up to {limit:,} are."
        ),
        "model.quantisation_value": QT_TRANSLATE_NOOP(
            "messages",
            "{value} is not read here, so the bytes of the weights are unknown; read are: {known}. "
            "Opened with its weights, a model has the bytes of its files.",
        ),
        "model.quantisation_odd": QT_TRANSLATE_NOOP(
            "messages",
            "{value} is not read here, so the bytes of the weights are unknown. "
            "Opened with its weights, a model has the bytes of its files.",
        ),
        "model.quantisation_cache": QT_TRANSLATE_NOOP(
            "messages", "{value} is not read here, so the bytes of the KV cache are unknown; read are: {known}."
        ),
        "model.quantisation_assumed": QT_TRANSLATE_NOOP(
            "messages", "The config does not say {field} of its weights: {value:g} is assumed."
        ),
        "model.average_bits": QT_TRANSLATE_NOOP(
            "messages",
            "Layers are stored in different sizes; the config names the average alone, {bits:g} bits, "
            "which all count with: the whole is right to about 2 %, a single layer is not.",
        ),
        "model.scales_assumed": QT_TRANSLATE_NOOP(
            "messages", "The config does not say how {method} stores its scales: they count in 16 bit."
        ),
        "model.experts_format": QT_TRANSLATE_NOOP("messages", "The experts are stored in {format}."),
    }
)
