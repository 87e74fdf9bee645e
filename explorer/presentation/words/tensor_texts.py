"""Sentences on files of weights: GGUF, safetensors, and what a model takes from them."""

from explorer.presentation.words.messages import QT_TRANSLATE_NOOP, register

register(
    {
        "binary.ends": QT_TRANSLATE_NOOP(
            "messages", "The file ends after {size:,} bytes, within its own list of tensors; download it again."
        ),
        "binary.head": QT_TRANSLATE_NOOP(
            "messages", "The list of tensors is longer than {limit} bytes; this cannot be a model's file."
        ),
        "gguf.magic": QT_TRANSLATE_NOOP("messages", "This is no GGUF file."),
        "gguf.version": QT_TRANSLATE_NOOP(
            "messages", "GGUF version {version} is not read, only 2 and 3; convert the file with a current llama.cpp."
        ),
        "gguf.big_endian": QT_TRANSLATE_NOOP(
            "messages", "The GGUF file is big-endian; convert it to little-endian to read it here."
        ),
        "gguf.damaged": QT_TRANSLATE_NOOP(
            "messages", "The GGUF header is damaged ({what}, byte {offset}); download the file again."
        ),
        "gguf.type": QT_TRANSLATE_NOOP(
            "messages", "The tensor {tensor} has number type {type}, which is not known here."
        ),
        "gguf.parts_named": QT_TRANSLATE_NOOP(
            "messages", "{file} is one of {count} parts; give the parts their own names (-00001-of-0000N.gguf) back."
        ),
        "gguf.not_a_model": QT_TRANSLATE_NOOP(
            "messages", "The GGUF file holds no language model ({kind}); choose the model's own file."
        ),
        "gguf.architecture": QT_TRANSLATE_NOOP(
            "messages", "The architecture {architecture} is not supported, and its tensors ({tensor}) are not Llama's."
        ),
        "gguf.key": QT_TRANSLATE_NOOP("messages", "The GGUF metadata lack {key}."),
        "gguf.layers_differ": QT_TRANSLATE_NOOP(
            "messages", "Layers differ in {key}; models with layers of several sizes are not read from GGUF."
        ),
        "safetensors.header": QT_TRANSLATE_NOOP(
            "messages", "This is no safetensors file, or its header is damaged; download it again."
        ),
        "safetensors.many": QT_TRANSLATE_NOOP(
            "messages", "The file lists more than {limit:,} tensors; this is no model's file."
        ),
        "safetensors.tensor": QT_TRANSLATE_NOOP(
            "messages", "The safetensors header contradicts itself at {tensor}; download the file again."
        ),
        "safetensors.dtype": QT_TRANSLATE_NOOP(
            "messages", "The tensor {tensor} has data type {dtype}, which is not known here."
        ),
        "safetensors.index": QT_TRANSLATE_NOOP("messages", "{file} is no index of safetensors files."),
        "safetensors.shard": QT_TRANSLATE_NOOP(
            "messages", "{file} lacks tensors that the index says it holds; download it again."
        ),
        "safetensors.no_config": QT_TRANSLATE_NOOP(
            "messages", "Weights alone do not tell the architecture; put the model's {file} beside them."
        ),
        "tensors.none": QT_TRANSLATE_NOOP("messages", "The file holds no tensors."),
        "tensors.many": QT_TRANSLATE_NOOP(
            "messages", "The file holds {count} kinds of tensors, more than {limit}; this is no model known here."
        ),
        "tensors.name": QT_TRANSLATE_NOOP("messages", "“{name}” cannot be the name of a tensor."),
        "tensors.layers": QT_TRANSLATE_NOOP("messages", "“{got}” is no list of layers; write “0-3, 7”."),
        "tensors.bytes": QT_TRANSLATE_NOOP("messages", "So many values of {format} do not take so many bytes."),
        "tensors.cut": QT_TRANSLATE_NOOP(
            "messages", "The file ends {missing:,} bytes too early, within {tensor}; download it again."
        ),
        "tensors.part_missing": QT_TRANSLATE_NOOP(
            "messages", "The part {file} is missing; put all parts in one folder."
        ),
        "tensors.lacking": QT_TRANSLATE_NOOP(
            "messages",
            "The file lacks tensors that the config describes, such as {module}; they do not belong together.",
        ),
        "tensors.other_model": QT_TRANSLATE_NOOP(
            "messages",
            "The file holds {got:,} values of {module}, the config describes {wanted:,}; they do not belong together.",
        ),
        "model.from_file": QT_TRANSLATE_NOOP(
            "messages", "Weight bytes are those of the file's tensors ({label}, {bytes:,} bytes), row by row."
        ),
        "model.read_as": QT_TRANSLATE_NOOP(
            "messages",
            "The architecture {architecture} has no description here; it is read as the one its tensors are like.",
        ),
        "model.tensors_idle": QT_TRANSLATE_NOOP(
            "messages", "{bytes:,} bytes of the file are held but not read in a text step: {names}."
        ),
        "model.tensors_missing": QT_TRANSLATE_NOOP(
            "messages", "The file holds no tensor for {names}; these count in the config's formats."
        ),
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
            "messages", "Towers for pictures and sound are files of their own beside a mix, and are not counted."
        ),
        "model.mix_not_converted": QT_TRANSLATE_NOOP(
            "messages",
            "llama.cpp has no files of this model; the rules of its mixes are applied all the same, "
            "and what they do not name stays in F32.",
        ),
        "model.one_format": QT_TRANSLATE_NOOP(
            "messages",
            "{format} is one format for the linear layers, with embedding and output as the config has them; "
            "the files that llama-quantize writes under that name are {mix}, with both quantised: they may be faster.",
        ),
        "model.file_size": QT_TRANSLATE_NOOP(
            "messages",
            "No file of this model takes {size:,} bytes: its smallest mix takes {least:,}, its largest {most:,}; "
            "check the size and the model.",
        ),
        "model.file_own": QT_TRANSLATE_NOOP(
            "messages", "The file ({bytes:,} bytes) has the size of the checkpoint's own formats, which count."
        ),
        "model.file_mix": QT_TRANSLATE_NOOP(
            "messages",
            "The file ({bytes:,} bytes) has the size of the mix {mix}: tensors have the types that llama.cpp's rules "
            "give them. By these rules the tensors take {tensors:,} bytes, beside a header; where the file is smaller, "
            "its size counts.",
        ),
        "model.file_unused": QT_TRANSLATE_NOOP(
            "messages",
            "Weights count as {weights}, which was asked for; the file's {bytes:,} bytes have no part in it.",
        ),
        "model.file_contradicts": QT_TRANSLATE_NOOP(
            "messages",
            "Weights count as {weights}, which was asked for, {held:,} bytes: a file of {bytes:,} bytes is stored "
            "otherwise, and its size has no part in it; leave out one of the two.",
        ),
        "model.file_between": QT_TRANSLATE_NOOP(
            "messages",
            "No mix of llama.cpp's takes the file's {bytes:,} bytes: scaled from {below} or {above}, or with all "
            "matrices alike, one token reads {least:,} to {most:,} bytes of them; the fewest count ({taken}).",
        ),
        "model.mix_rough": QT_TRANSLATE_NOOP(
            "messages",
            "{mix} is taken as {bits:.2f} bits a weight, as in Llama-3.1-8B; "
            "the share of large tensors, and so the bits, differ by model.",
        ),
    }
)
