"""Sentences on figures that cannot be written."""

from explorer.presentation.words.messages import QT_TRANSLATE_NOOP, register

register(
    {
        "export.format": QT_TRANSLATE_NOOP("messages", "“{got}” is no ending of a figure; use one of: {known}."),
        "export.view": QT_TRANSLATE_NOOP("messages", "There is no view “{got}”; the views are: {known}."),
        "export.deck": QT_TRANSLATE_NOOP(
            "messages",
            "All views are written into a folder or a .pdf; “{got}” is neither. A folder of such a name must be there.",
        ),
        "export.nothing": QT_TRANSLATE_NOOP("messages", "No view has anything to say of this study."),
        "export.empty": QT_TRANSLATE_NOOP("messages", "The view “{view}” has nothing to show: {reason}"),
        "export.block": QT_TRANSLATE_NOOP("messages", "There is no block “{got}” on a slide; the blocks are: {known}."),
        "export.long": QT_TRANSLATE_NOOP("messages", "The {part} has {got} characters; a slide has room for {limit}."),
        "export.size": QT_TRANSLATE_NOOP(
            "messages",
            "A figure of {width} × {height} at scale {scale} cannot be drawn; "
            "each side must have {low} to {high} pixels.",
        ),
    }
)
