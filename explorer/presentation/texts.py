"""Every sentence of the program: importing this registers all templates."""

import explorer.presentation.device_texts
import explorer.presentation.file_texts
import explorer.presentation.study_texts  # noqa: F401
