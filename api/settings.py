"""The one place where the environment is read: `FAULTBOOK_PORT=9000`, `FAULTBOOK_BUILD_DIR=/srv/build`."""

from __future__ import annotations

from collections.abc import Iterator
from ipaddress import IPv4Network, IPv6Network, ip_network
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BeforeValidator, Field, SecretStr, ValidationError
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict

PREFIX = "FAULTBOOK_"
ADDRESS = r"^https?://[^\s]+/$"

Network = IPv4Network | IPv6Network


class WrongSettings(ValueError):
    """A setting cannot be used; the text names each such setting and says what is wrong."""


def separated(value: object) -> object:
    """What stands between commas."""
    if not isinstance(value, str):
        return value
    return tuple(part.strip() for part in value.split(",") if part.strip())


def networks(addresses: tuple[str, ...]) -> tuple[str, ...]:
    """The addresses, when each is an address or a network. Raises ValueError."""
    for address in addresses:
        ip_network(address, strict=False)
    return addresses


def origins(values: tuple[str, ...]) -> tuple[str, ...]:
    """The origins, when each is one. Raises ValueError."""
    for value in values:
        scheme, _, host = value.partition("://")
        if value != "*" and (scheme not in {"http", "https"} or not host or "/" in host):
            raise ValueError(f"an origin is https://host or https://host:port, not {value[:80]!r}")
    return values


def secret(description: str) -> Any:
    """A field for a secret, which is empty where it is not set."""
    return Field(default=SecretStr(""), description=description)


Separated = Annotated[tuple[str, ...], NoDecode, BeforeValidator(separated)]
Networks = Annotated[Separated, AfterValidator(networks)]
Origins = Annotated[Separated, AfterValidator(origins)]


class Settings(BaseSettings):
    """What may differ between two servers. Nothing here changes an answer."""

    model_config = SettingsConfigDict(env_prefix=PREFIX, frozen=True)

    build_dir: Path = Field(default=Path("build"), description="the folder that `kb build` wrote")
    host: str = Field(default="127.0.0.1", description="address to listen on; 0.0.0.0: all")
    port: int = Field(default=8000, ge=0, le=65535, description="0: any free port")
    site_url: str = Field(
        default="",
        pattern=r"^(https?://[^\s]+/)?$",
        description="address of the pages, with a slash at its end, for links in answers to chats",
    )
    workers: int = Field(default=1, ge=1, le=64, description="processes that answer on the one port")
    log_format: Literal["line", "json"] = Field(default="line", description="`json`: an object for each line")

    max_body: int = Field(
        default=5 * 1024 * 1024, ge=1024, description="largest paste, in bytes, packed and unpacked"
    )
    batch_lines: int = Field(default=10_000, ge=1, description="most lines of one batch")
    inline_body: int = Field(
        default=16 * 1024, ge=0, description="bodies up to this are matched in the event loop"
    )
    concurrency: int = Field(
        default=2, ge=1, description="larger pastes matched at the same time, each in a thread"
    )
    queue: int = Field(
        default=16, ge=0, description="larger pastes that may wait for a thread; more are answered 503"
    )
    in_flight: int = Field(
        default=64, ge=1, description="requests to the API at the same time; more are answered 503"
    )
    client_in_flight: int = Field(
        default=32, ge=1, description="of these, at most so many of one client; more are answered 429"
    )
    body_seconds: float = Field(default=30, gt=0, description="time a client has for sending its body")
    request_seconds: float = Field(
        default=300, gt=0, description="time for a whole request, reading its answer included"
    )

    rate_limit: int = Field(
        default=600, ge=0, description="requests of one client to the API in a minute; 0: any number"
    )
    rate_burst: int = Field(default=60, ge=1, description="how many of them may come at once")
    rate_exempt: Networks = Field(
        default=("127.0.0.0/8", "::1/128"), description="addresses and networks without that limit"
    )
    trusted_proxies: Networks = Field(
        default=(), description="addresses and networks whose X-Forwarded-For is believed"
    )
    cors_origins: Origins = Field(
        default=(), description="origins whose pages may ask the API, or *; none by default"
    )

    slack_signing_secret: SecretStr = secret("switches Slack on; docs/bots.md says where it is found")
    slack_bot_token: SecretStr = secret("for mentions, attached logs and answers in threads")
    slack_api_url: str = Field(
        default="https://slack.com/api/", pattern=ADDRESS, description="Slack's Web API"
    )
    discord_public_key: str = Field(
        default="", pattern=r"^([0-9a-f]{64})?$", description="switches Discord on; the application's key"
    )
    discord_api_url: str = Field(
        default="https://discord.com/api/v10/", pattern=ADDRESS, description="Discord's API"
    )
    slash_tokens: SecretStr = secret(
        "switches Mattermost's slash command on; its token, or several between commas"
    )

    metrics: bool = Field(default=True, description="whether /metrics answers")
    reload_seconds: float = Field(
        default=2, ge=0, description="how often to look for a new build; 0: only on SIGHUP"
    )
    drain_seconds: float = Field(
        default=0, ge=0, description="how long to go on after SIGTERM, while /readyz already says 503"
    )
    stop_seconds: int = Field(
        default=20, ge=0, description="time that requests have to end when the server stops"
    )


def read_settings(**given: object) -> Settings:
    """The settings given, and the environment's for all others. Raises WrongSettings."""
    try:
        return Settings.model_validate(given) if given else Settings()
    except ValidationError as error:
        wrong = (f"{PREFIX}{str(each['loc'][0]).upper()}: {each['msg']}" for each in error.errors())
        raise WrongSettings("; ".join(wrong)) from None


def shown(settings: Settings) -> Iterator[str]:
    """A line for each setting, as the environment would have it, with what it is for. No secret is shown."""
    for name, field in type(settings).model_fields.items():
        value = getattr(settings, name)
        text = ",".join(value) if isinstance(value, tuple) else str(value)
        yield f"{PREFIX}{name.upper()}={text}  # {field.description}"
