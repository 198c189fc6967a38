"""The one place where the environment is read: `FAULTBOOK_PORT=9000`, `FAULTBOOK_BUILD_DIR=/srv/build`."""

from __future__ import annotations

from pathlib import Path

from pydantic import Field, ValidationError
from pydantic_settings import BaseSettings, SettingsConfigDict

PREFIX = "FAULTBOOK_"


class WrongSettings(ValueError):
    """A setting cannot be used; the text names each such setting and says what is wrong."""


class Settings(BaseSettings):
    """What may differ between two servers. Nothing here changes an answer."""

    model_config = SettingsConfigDict(env_prefix=PREFIX, frozen=True)

    build_dir: Path = Field(default=Path("build"), description="the folder that `kb build` wrote")
    host: str = "127.0.0.1"
    port: int = Field(default=8000, ge=0, le=65535, description="0: any free port")
    site_url: str = Field(
        default="",
        pattern=r"^(https?://[^\s]+/)?$",
        description="address of the pages, with a slash at its end, for links in answers to chats",
    )
    max_body: int = Field(default=5 * 1024 * 1024, ge=1024, description="largest request body, in bytes")
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
    body_seconds: float = Field(default=30, gt=0, description="time a client has for sending its body")


def read_settings(**given: object) -> Settings:
    """The settings given, and the environment's for all others. Raises WrongSettings."""
    try:
        return Settings.model_validate(given) if given else Settings()
    except ValidationError as error:
        wrong = (f"{PREFIX}{str(each['loc'][0]).upper()}: {each['msg']}" for each in error.errors())
        raise WrongSettings("; ".join(wrong)) from None
