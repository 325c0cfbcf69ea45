"""What can be set for a diagnosis; the limits are safety defaults, no part of a format."""

import tomllib
from dataclasses import dataclass
from pathlib import Path

from witmark.kernel.errors import InputError

MAX_INVALID_RESPONSES = 3
MAX_CONTEXT_BYTES = 2 * 1024 * 1024
MAX_ARTEFACT_BYTES = 4 * 1024 * 1024


class ConfigError(InputError):
    """The configuration of the diagnosis cannot be used as it stands."""

    code = "input.diagnosis-config"
    hint = "see config/diagnosis.example.toml for what can be set"


@dataclass(frozen=True, slots=True)
class DiagnosisLimits:
    """How large things may be, in bytes.

    Attributes:
        max_context_bytes: Of the frozen context; a larger one is refused, never cut.
        max_artifact_bytes: Of each published file, the summary included.
    """

    max_context_bytes: int = MAX_CONTEXT_BYTES
    max_artifact_bytes: int = MAX_ARTEFACT_BYTES


@dataclass(frozen=True, slots=True)
class DiagnosisConfig:
    """What a builder is told.

    Attributes:
        max_invalid_responses: How many invalid decisions end it; ``None`` takes what was
            frozen when the diagnosis started, and 3 when it starts now.
        limits: How large things may be.
    """

    max_invalid_responses: int | None = None
    limits: DiagnosisLimits = DiagnosisLimits()

    @classmethod
    def load(cls, path: str | Path) -> "DiagnosisConfig":
        """Read a TOML file with a table ``[diagnosis]`` and one ``[diagnosis.limits]``.

        Raises:
            ConfigError: it is not there, is no TOML, or sets what cannot be set; names the
                file and the place.
        """
        try:
            found = tomllib.loads(Path(path).read_text("utf-8"))
        except OSError as error:
            raise ConfigError(error.strerror or "cannot be read", place=str(path)) from error
        except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
            raise ConfigError(f"no TOML: {error}", place=str(path)) from error
        if strays := sorted(found.keys() - {"diagnosis"}):
            raise ConfigError(
                "nothing is called so; all that can be set stands under [diagnosis]",
                place=f"{path}: {strays[0]}",
            )
        return _config_of(found.get("diagnosis", {}), str(path))

    def check(self, *, max_request_bytes: int, max_file_bytes: int) -> None:
        """Hold that what these limits allow can be sent and can be published.

        Args:
            max_request_bytes: The gateway's limit of one request.
            max_file_bytes: The package's limit of one file.

        Raises:
            ConfigError: a limit promises more than another one lets through.
        """
        limits = self.limits
        if limits.max_context_bytes > max_request_bytes:
            raise ConfigError(
                f"a context may have {limits.max_context_bytes} bytes, a request only "
                f"{max_request_bytes}",
                place="diagnosis.limits.max_context_bytes",
            )
        if max(limits.max_artifact_bytes, limits.max_context_bytes) > max_file_bytes:
            raise ConfigError(
                f"an artefact may have {limits.max_artifact_bytes} bytes, a file of the "
                f"package only {max_file_bytes}",
                place="diagnosis.limits.max_artifact_bytes",
            )


def _config_of(table: object, path: str) -> DiagnosisConfig:
    top = _table(table, "diagnosis", path, {"max_invalid_responses", "limits"})
    limits = _table(
        top.get("limits", {}),
        "diagnosis.limits",
        path,
        {"max_context_bytes", "max_artifact_bytes"},
    )
    defaults = DiagnosisLimits()
    most = _count(top, "max_invalid_responses", None, "diagnosis", path)
    context = _count(
        limits, "max_context_bytes", defaults.max_context_bytes, "diagnosis.limits", path
    )
    artefact = _count(
        limits, "max_artifact_bytes", defaults.max_artifact_bytes, "diagnosis.limits", path
    )
    return DiagnosisConfig(
        most,
        DiagnosisLimits(
            context or defaults.max_context_bytes, artefact or defaults.max_artifact_bytes
        ),
    )


def _table(found: object, name: str, path: str, known: set[str]) -> dict[str, object]:
    if not isinstance(found, dict):
        raise ConfigError("it is no table", place=f"{path}: {name}")
    if strays := sorted(set(found) - known):
        raise ConfigError("nothing is called so", place=f"{path}: {name}.{strays[0]}")
    return found


def _count(
    table: dict[str, object], name: str, default: int | None, above: str, path: str
) -> int | None:
    found = table.get(name, default)
    if found is None:
        return None
    if isinstance(found, bool) or not isinstance(found, int) or found < 1:
        raise ConfigError("a whole number from 1 is wanted", place=f"{path}: {above}.{name}")
    return found
