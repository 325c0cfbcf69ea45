"""Whether the settings set up a model for the answers desk. Cheap where they do not."""

from pathlib import Path
from typing import TYPE_CHECKING

from witmark.bootstrap.settings import load_settings

if TYPE_CHECKING:
    from witmark.kernel.model.gateway import Gateway

PURPOSE = "answers.compose"


def answers_gateway(config: Path | None) -> "Gateway | None":
    """The gateway for this desk's questions; ``None`` if the settings set up no model for them.

    Raises:
        SettingsError: the settings cannot be read.
    """
    settings = load_settings(config)
    if not settings.models.of(PURPOSE):
        return None
    from witmark.answers.analyst import compose  # noqa: PLC0415  # only with a model
    from witmark.bootstrap.models import gateway_of  # noqa: PLC0415

    return gateway_of(settings, embedded={PURPOSE: compose})
