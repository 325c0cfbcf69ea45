"""What the user has settled, read from ``witmark.toml``. docs/settings.md lists every setting.

A key never stands in the file: a profile names the environment variable that holds it.
"""

import os
import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from witmark.bootstrap.setting_words import place_and_kin
from witmark.kernel.errors import InputError, visible
from witmark.kernel.model.gateway import ModelRoutes
from witmark.kernel.model.request import Prices, Profile

NAME = "witmark.toml"
PURPOSES = (
    "answers.compose",
    "diagnosis.decide",
    "review.interfaces",
    "review.judge",
    "review.roles",
    "review.units",
)
"""What a model can be asked for; a profile may also serve a whole desk, or ``*``."""

_SERVED = {*PURPOSES, *(purpose.partition(".")[0] for purpose in PURPOSES), "*"}
_NO_SECRETS = {"key_env", "max_output_tokens"}  # named like a secret, but none
_SECRET_NAME = re.compile(r"key|token|secret|password|credential|authorization", re.IGNORECASE)
_SECRET_VALUE = re.compile(
    r"\b(sk|pk|rk|gsk|xai|ghp|hf|AIza)[-_][\w-]{8,}|^Bearer\s|AIza\w{20,}"
)
_USER_IN_URL = re.compile(r"^[a-z]+://[^/?#]*@", re.IGNORECASE)


class SettingsError(InputError):
    """The settings say something that we cannot do, or must not keep."""

    code = "input.settings"
    hint = "docs/settings.md lists every setting with its unit and default"


@dataclass(frozen=True, slots=True)
class Settings:
    """Everything that is settled.

    Attributes:
        models: Which profiles serve which purpose, and the limits.
        profiles: Every profile, by name, whether it is used or not.
        folder: Where relative names in the file count from.
        file: The file that was read; ``None`` if there is none.
    """

    models: ModelRoutes
    profiles: tuple[Profile, ...] = ()
    folder: Path = Path()
    file: Path | None = None


def load_settings(config: Path | None = None) -> Settings:
    """Read the settings; without a file they are the defaults, with no model.

    Args:
        config: The file; else ``./witmark.toml``, else ``witmark/witmark.toml`` in the
            user's folder for settings.

    Raises:
        SettingsError: the file is not there, not readable, or wrong; names the place.
    """
    file = config or next((path for path in _places() if path.is_file()), None)
    if file is None:
        return Settings(ModelRoutes({}))
    return _settings(_parsed(file), file)


def _places() -> Iterator[Path]:
    yield Path(NAME)
    base = os.environ.get("XDG_CONFIG_HOME")
    yield (Path(base) if base else Path.home() / ".config") / "witmark" / NAME


def _parsed(file: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(file.read_bytes().decode())
    except OSError as error:
        because = (error.strerror or "cannot be read").lower()
        raise SettingsError(because, place=str(file), hint="check the path") from error
    except UnicodeDecodeError as error:
        raise SettingsError("not UTF-8", place=str(file), hint="save it as UTF-8") from error
    except tomllib.TOMLDecodeError as error:
        place = re.search(r"\(at [^()]*\)$", str(error))  # the rest may quote a value
        raise SettingsError(
            f"not TOML {place[0] if place else ''}".rstrip(),
            place=str(file),
            hint="mend the line; https://toml.io shows the form",
        ) from None


# the form of the file ---------------------------------------------------------------

_Count = Annotated[int, Field(ge=0)]
_Seconds = Annotated[float, Field(ge=0.0, le=86_400.0, allow_inf_nan=False)]
_Price = Annotated[float, Field(ge=0.0, allow_inf_nan=False)]
_DEFAULTS = ModelRoutes({})


class _Table(BaseModel):
    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)


class _Prices(_Table):
    input_per_million: _Price
    output_per_million: _Price
    currency: Annotated[str, Field(pattern=r"^[A-Z]{3}$")]


class _Profile(_Table):
    provider: Literal["openai", "anthropic", "embedded", "scripted"]
    model: Annotated[str, Field(min_length=1)]
    base_url: str = ""
    key_env: Annotated[str, Field(pattern=r"^([A-Za-z_][A-Za-z0-9_]*)?$")] = ""
    max_output_tokens: Annotated[int, Field(ge=1)] = 2048
    temperature: Annotated[float, Field(ge=0.0, le=2.0)] | Literal["unset"] = 0.0
    seed: int | None = None
    timeout_s: Annotated[float, Field(gt=0.0, le=86_400.0)] = 120.0
    retries: _Count = 2
    backoff_s: _Seconds = 2.0
    backoff_cap_s: _Seconds = 300.0
    sends_schema: bool = True
    takes_images: bool = False
    prices: _Prices | None = None


class _Models(_Table):
    max_request_bytes: Annotated[int, Field(ge=1)] = _DEFAULTS.max_request_bytes
    max_invalid_responses: Annotated[int, Field(ge=1)] | None = None
    profiles: dict[str, _Profile] = {}
    use: dict[str, Annotated[list[str], Field(min_length=1)]] = {}


class _File(_Table):
    models: _Models = _Models()


# what it comes to -------------------------------------------------------------------


def _settings(plain: dict[str, Any], file: Path) -> Settings:
    _refuse_secrets(plain, file)
    if isinstance(models := plain.get("models"), dict) and isinstance(models.get("use"), dict):
        models["use"] = dict(_flat(models["use"]))
    try:
        read = _File.model_validate(plain).models
    except ValidationError as error:
        raise _refused(error, file) from None  # its own words would show the values
    profiles = {name: _profile(name, read.profiles[name], file) for name in read.profiles}
    routes = {
        purpose: _served(purpose, names, profiles, file) for purpose, names in read.use.items()
    }
    return Settings(
        ModelRoutes(
            dict(sorted(routes.items())), read.max_request_bytes, read.max_invalid_responses
        ),
        tuple(profiles[name] for name in sorted(profiles)),
        file.parent,
        file,
    )


def _flat(table: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, object]]:
    """``review.judge`` without quotes is a table in a table; it means the same."""
    for name, value in table.items():
        if isinstance(value, dict):
            yield from _flat(value, f"{prefix}{name}.")
        else:
            yield prefix + name, value


def _profile(name: str, read: _Profile, file: Path) -> Profile:
    place = f"models.profiles.{name}"
    if read.provider in {"openai", "anthropic"} and not re.match(
        r"https?://[^/?#\s]+[^?#\s]*$|$", read.base_url
    ):
        hint = 'it must begin with http:// or https://, or be "" for the provider\'s own'
        raise _error(file, f"{place}.base_url", "not an http or https address", hint)
    if read.provider == "scripted" and not read.base_url:
        hint = "give base_url the name of the script's file"
        raise _error(file, f"{place}.base_url", "a scripted profile has a script", hint)
    fields = read.model_dump(exclude={"prices", "temperature"})
    temperature = None if read.temperature == "unset" else read.temperature
    prices = None if read.prices is None else Prices(**read.prices.model_dump())
    return Profile(name, **fields, temperature=temperature, prices=prices)


def _served(
    purpose: str, names: list[str], profiles: Mapping[str, Profile], file: Path
) -> tuple[Profile, ...]:
    place = f'models.use."{purpose}"'
    if purpose not in _SERVED:
        raise _error(file, place, "no such purpose", f"there are {', '.join(sorted(_SERVED))}")
    for name in names:
        if name not in profiles:
            known = ", ".join(sorted(profiles)) or "none"
            raise _error(file, place, f"no profile is called {name!r}", f"there are: {known}")
    if len(set(names)) < len(names):
        raise _error(file, place, "a profile is named twice", "raise its retries instead")
    return tuple(profiles[name] for name in names)


def _refuse_secrets(plain: Mapping[str, Any], file: Path, place: str = "") -> None:
    for name, value in plain.items():
        here = f"{place}.{name}" if place else name
        if isinstance(value, dict):
            _refuse_secrets(value, file, here)
            continue
        named_so = name not in _NO_SECRETS and _SECRET_NAME.search(name) is not None
        if named_so or any(_is_secret(one) for one in _texts(value)):
            raise _error(
                file,
                here,
                "a key is not written into the settings",
                "put it into an environment variable and name that with key_env",
            )


def _texts(value: object) -> list[str]:
    found = value if isinstance(value, list) else [value]
    return [one for one in found if isinstance(one, str)]


def _is_secret(value: str) -> bool:
    return bool(_SECRET_VALUE.search(value) or _USER_IN_URL.match(value))


def _refused(error: ValidationError, file: Path) -> SettingsError:
    first = error.errors(include_input=False, include_url=False)[0]
    place, must_be, beside = place_and_kin(first["loc"])
    if first["type"] == "extra_forbidden":
        return _error(file, place, "no such setting", f"there are {', '.join(sorted(beside))}")
    what = "is missing" if first["type"] == "missing" else "is not what may stand there"
    return _error(file, place, what, f"it must be {must_be}")


def _error(file: Path, place: str, what: str, hint: str | None) -> SettingsError:
    return SettingsError(what, place=f"{file}: {visible(place)}", hint=hint)
