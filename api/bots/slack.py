"""Slack: a slash command, the message shortcut "Diagnose", mentions, and buttons for the outcomes of a check.

slack-bolt verifies, sorts and acknowledges; answers are worked on afterwards in the server's own event loop,
within the limits of the API. Its log is silent: it would print whole requests.
"""

from __future__ import annotations

import asyncio
import logging
import re
from collections.abc import Awaitable, Callable
from typing import Any

from anyio import to_thread
from slack_bolt import Ack, App, BoltRequest, BoltResponse
from slack_bolt.adapter.fastapi import SlackRequestHandler
from slack_bolt.adapter.starlette.handler import to_bolt_request, to_starlette_response
from slack_bolt.authorization import AuthorizeResult
from slack_sdk import WebClient
from slack_sdk.errors import SlackApiError, SlackClientError
from slack_sdk.signature import SignatureVerifier
from starlette.requests import Request
from starlette.responses import Response

from api.bots.jobs import Jobs
from api.bots.paste import from_file, from_slack
from api.bots.platform import SECONDS, Unreached, download, is_of, send
from api.bots.reply import USAGE, Reply, answer, chosen
from api.log import tell_bug
from api.problems import Refused
from api.service import Service
from kb.render.chat import slack, slack_message

Json = dict[str, Any]
HOSTS = ("slack.com", "slack-files.com", "slack-gov.com")
UNREADABLE = ("image/", "video/", "audio/")
CHECK = "check_file_info"  # how Slack says that a file must be asked for
FIRST_ONLY = ["http_timeout"]  # we were told already, and the answer is on its way


class SlackBot:
    """The app of one workspace."""

    def __init__(self, service: Service) -> None:
        settings = service.settings
        silent = logging.Logger("silent")  # noqa: LOG001 - not to be found by name, so nobody can switch it on
        silent.disabled = True
        secret, token = settings.slack_signing_secret.get_secret_value(), settings.slack_bot_token
        self._service = service
        self._jobs = Jobs("slack", settings.queue)
        self._token = token.get_secret_value()
        self._client = WebClient(self._token or None, settings.slack_api_url, int(SECONDS), logger=silent)
        self._verifier = SignatureVerifier(secret)
        self._loop: asyncio.AbstractEventLoop | None = None
        app = App(logger=silent, signing_secret=secret, client=self._client, authorize=authorize(self._token))
        app.command(re.compile(""))(self.command)
        app.shortcut("diagnose")(self.shortcut)
        app.event("app_mention")(self.mention)
        app.action(re.compile(r"outcome-\d"))(self.outcome)
        app.action("page")(acknowledge)
        app.error(failed)
        self._handler = SlackRequestHandler(app)

    async def handle(self, request: Request, body: bytes) -> Response:
        """The answer to one request of Slack. Raises Refused (401) where the signature is not fresh."""
        stamp = request.headers.get("x-slack-request-timestamp", "")
        signature = request.headers.get("x-slack-signature", "")
        if not (is_number(stamp) and signature.isascii() and self._verifies(body, stamp, signature)):
            raise Refused(401, "The signature is not Slack's, or is older than five minutes.")
        self._loop = asyncio.get_running_loop()
        try:
            asked = to_bolt_request(request, body)
        except (ValueError, RecursionError, AttributeError, TypeError):
            raise Refused(400, "The body is not what Slack sends.") from None
        # In a thread: bolt waits there for the acknowledgement.
        return to_starlette_response(await to_thread.run_sync(self._handler.app.dispatch, asked))

    def command(self, ack: Ack, body: Json) -> None:
        """`/diagnose PASTE`: the answer is for the person alone, as the paste is."""
        text = from_slack(body.get("text", ""))
        if not text:
            ack(USAGE)
            return
        where = Where(self, response_url=body.get("response_url", ""))
        self._start(ack, lambda: answer(text, self._service), where)

    def shortcut(self, ack: Ack, body: Json) -> None:
        """ "Diagnose" in the menu of a message: the answer goes into its thread."""
        message = body.get("message", {})
        where = Where(
            self,
            body.get("channel", {}).get("id", ""),
            message.get("thread_ts") or message.get("ts", ""),
            body.get("response_url", ""),
        )
        self._start(ack, lambda: self._of_message(message), where)

    def mention(self, ack: Ack, event: Json, request: BoltRequest) -> None:
        """`@faultbook` with a paste or a file: the answer goes into the thread."""
        if event.get("bot_id") or request.headers.get("x-slack-retry-reason") == FIRST_ONLY:
            ack()
            return
        where = Where(self, event.get("channel", ""), event.get("thread_ts") or event.get("ts", ""))
        self._start(ack, lambda: self._of_message(event), where)

    def outcome(self, ack: Ack, body: Json, action: Json) -> None:
        """A button: what the check showed."""
        container, message = body.get("container", {}), body.get("message", {})
        where = Where(
            self,
            "" if container.get("is_ephemeral") else body.get("channel", {}).get("id", ""),
            message.get("thread_ts") or message.get("ts", ""),
            body.get("response_url", ""),
        )

        async def reply() -> Reply:
            return chosen(str(action.get("value", "")), self._service)

        self._start(ack, reply, where)

    async def post(self, channel: str, thread: str, message: Json) -> None:
        """Post into a thread. Raises Unreached."""

        def call() -> None:
            self._client.chat_postMessage(
                channel=channel, thread_ts=thread, unfurl_links=False, unfurl_media=False, **message
            )

        await self._ask(call)

    async def respond(self, url: str, message: Json) -> None:
        """Answer to the person alone, at the address that came with the request. Raises Unreached."""
        if not is_of(url, self._service.settings.slack_api_url, HOSTS):
            raise Unreached("the address for the answer is not Slack's")
        await send("POST", url, {"response_type": "ephemeral", "replace_original": False, **message})

    def _start(self, ack: Ack, reply: Callable[[], Awaitable[Reply]], where: Where) -> None:
        """Acknowledge, and begin the answer in the event loop."""

        async def work() -> None:
            found = await reply()
            site = self._service.settings.site_url
            await where.say(slack_message(found.brief, site, found.choices))

        assert self._loop is not None  # set before bolt is asked
        self._loop.call_soon_threadsafe(self._jobs.start, work, where.say_text)
        ack()

    async def _of_message(self, message: Json) -> Reply:
        return await answer(await self._paste(message), self._service)

    async def _paste(self, message: Json) -> str:
        """The paste in a message: its files, else its text, else what it quotes."""
        files = [file for file in message.get("files", []) if isinstance(file, dict)]
        if files:
            return "\n".join([await self._file(file) for file in files[:3]])
        quoted = (part.get("text") or part.get("fallback") or "" for part in message.get("attachments", []))
        return from_slack(message.get("text", "")) or from_slack("\n".join(quoted))

    async def _file(self, file: Json) -> str:
        """The text of an attached file."""
        if file.get("file_access") == CHECK:
            file = await self._ask(lambda: dict(self._client.files_info(file=file["id"])["file"]))
        most = self._service.settings.max_body
        if str(file.get("mimetype", "")).startswith(UNREADABLE):
            raise Refused(415, "A picture cannot be read. Paste the log as text, or attach it as a file.")
        if not self._token:
            raise Refused(503, "This server may not read files: FAULTBOOK_SLACK_BOT_TOKEN is not set.")
        url = str(file.get("url_private_download") or file.get("url_private") or "")
        if not is_of(url, self._service.settings.slack_api_url, HOSTS):
            raise Unreached("the file is not on Slack")
        data = await download(url, most, {"Authorization": f"Bearer {self._token}"})
        return from_file(data, str(file.get("name", "")), most)

    async def _ask(self, call: Any) -> Any:
        """Ask Slack's Web API. Raises Unreached with Slack's own word for what was wrong."""
        try:
            return await to_thread.run_sync(call)
        except SlackApiError as error:
            raise Unreached(f"Slack answered {error.response.get('error', 'an error')}") from None
        except (SlackClientError, OSError) as error:
            raise Unreached(f"Slack: {type(error).__name__}") from None

    def _verifies(self, body: bytes, stamp: str, signature: str) -> bool:
        try:
            return self._verifier.is_valid(body, stamp, signature)
        except UnicodeDecodeError:
            return False


class Where:
    """Where an answer goes: into a thread, or to the person alone when that is not possible."""

    def __init__(self, bot: SlackBot, channel: str = "", thread: str = "", response_url: str = "") -> None:
        self._bot, self._channel, self._thread, self._response_url = bot, channel, thread, response_url

    async def say(self, message: Json) -> None:
        if self._channel:
            try:
                await self._bot.post(self._channel, self._thread, message)
            except Unreached:
                if not self._response_url:
                    raise
            else:
                return
        await self._bot.respond(self._response_url, message)

    async def say_text(self, text: str) -> None:
        await self.say({"text": slack(text)})


def acknowledge(ack: Ack) -> None:
    ack()


def failed(error: Exception) -> BoltResponse:
    """A bug: told without its message, which may quote a paste."""
    tell_bug(error, "slack")
    return BoltResponse(status=500)


def authorize(token: str) -> Callable[..., AuthorizeResult]:
    """One app, one workspace: the signature says whose request it is, and Slack need not be asked."""

    def found(enterprise_id: str | None, team_id: str | None) -> AuthorizeResult:
        return AuthorizeResult(enterprise_id=enterprise_id, team_id=team_id, bot_token=token or "xoxb-none")

    return found


def is_number(text: str) -> bool:
    return text.isascii() and text.isdecimal() and len(text) < 16
