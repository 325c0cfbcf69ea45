"""Whether the settings set up a model for the answers desk. Cheap where they do not.

Without a settings file nothing of the settings is loaded, not even what reads them.
"""

import os
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from witmark.kernel.model.gateway import Gateway

PURPOSE = "answers.compose"


def answers_gateway(config: Path | None) -> "Gateway | None":
    """The gateway for this desk's questions; ``None`` if the settings set up no model for them.

    Raises:
        SettingsError: the settings cannot be read.
    """
    if config is None and not any(place.is_file() for place in settings_places()):
        return None
    from witmark.bootstrap.settings import load_settings  # noqa: PLC0415  # it is slow to load

    settings = load_settings(config)
    if not settings.models.of(PURPOSE):
        return None
    from witmark.answers.analyst import compose  # noqa: PLC0415  # only with a model
    from witmark.bootstrap.models import gateway_of  # noqa: PLC0415

    return gateway_of(settings, embedded={PURPOSE: compose})


def settings_places() -> tuple[Path, Path]:
    """Where ``load_settings`` looks when no file is named; a test holds the two together."""
    base = os.environ.get("XDG_CONFIG_HOME")
    own = Path(base) if base else Path.home() / ".config"
    return Path("witmark.toml"), own / "witmark" / "witmark.toml"
