"""The tools and entries as a server of the Model Context Protocol. The only module that imports the SDK."""

from __future__ import annotations

import json
import logging
from importlib.metadata import version
from typing import Any

import mcp_types as types
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server
from mcp.shared.exceptions import MCPError
from pydantic import ValidationError

from api.assistants.tools import INSTRUCTIONS, TOOLS, Tool, address, document
from api.log import tell_bug
from api.problems import Refused, invalid
from api.service import Service

PAGE = 50  # resources on a page of their list
READ_ONLY = types.ToolAnnotations(
    read_only_hint=True, destructive_hint=False, idempotent_hint=True, open_world_hint=False
)
Context = Any  # of a request; nothing of it is used


def protocol(service: Service) -> Server[Any]:
    """A server that answers from the book of a service, whichever that is when it is asked."""
    quiet()
    tools = {tool.name: tool for tool in TOOLS}
    listed = types.ListToolsResult(tools=[listing(tool) for tool in TOOLS])

    async def list_tools(_: Context, __: types.PaginatedRequestParams | None) -> types.ListToolsResult:
        return listed

    async def call_tool(_: Context, asked: types.CallToolRequestParams) -> types.CallToolResult:
        return await call(tools, asked, service)

    async def list_resources(
        _: Context, asked: types.PaginatedRequestParams | None
    ) -> types.ListResourcesResult:
        return entries_from(asked.cursor if asked else None, service)

    async def list_templates(
        _: Context, __: types.PaginatedRequestParams | None
    ) -> types.ListResourceTemplatesResult:
        return types.ListResourceTemplatesResult(resource_templates=[TEMPLATE])

    async def read_resource(_: Context, asked: types.ReadResourceRequestParams) -> types.ReadResourceResult:
        return read(str(asked.uri), service)

    return Server(
        "faultbook",
        version=version("faultbook"),
        title="Faultbook",
        description="Known failures of machine-learning training and serving",
        instructions=INSTRUCTIONS,
        on_list_tools=list_tools,
        on_call_tool=call_tool,
        on_list_resources=list_resources,
        on_list_resource_templates=list_templates,
        on_read_resource=read_resource,
    )


async def serve_stdio(service: Service) -> None:
    """Answer on standard input and output until the client closes them."""
    server = protocol(service)
    async with stdio_server() as (read_stream, write_stream):
        await server.run(read_stream, write_stream, server.create_initialization_options())


TEMPLATE = types.ResourceTemplate(
    name="entry",
    title="A known failure",
    uri_template=address("{id}"),
    description="An entry with all its fields, as JSON: long. get_entry gives the part that is needed.",
    mime_type="application/json",
)


def listing(tool: Tool) -> types.Tool:
    return types.Tool(
        name=tool.name,
        title=tool.title,
        description=tool.description,
        input_schema=tool.question.model_json_schema(),
        output_schema=tool.answer.model_json_schema(mode="serialization"),
        annotations=READ_ONLY,
    )


async def call(
    tools: dict[str, Tool], asked: types.CallToolRequestParams, service: Service
) -> types.CallToolResult:
    """The answer of a tool, as data and as the same in text; what cannot be answered is told to the model."""
    tool = tools.get(asked.name)
    if tool is None:
        return failed(f"There is no tool {asked.name[:100]!r}; there are {', '.join(tools)}.")
    try:
        answer = await tool.ask(service, tool.question.model_validate(asked.arguments or {}))
    except ValidationError as error:
        wrong = error.errors(include_url=False, include_input=False, include_context=False)
        return failed("; ".join(f"`{each.field}`: {each.problem}" for each in invalid(wrong).errors))
    except Refused as refused:
        return failed(refused.detail)
    except Exception as error:  # noqa: BLE001 - the SDK would log its message, which may quote a paste
        tell_bug(error, "mcp")
        return failed("Faultbook met a bug of its own; the server's log names the place.")
    value = answer.model_dump(exclude_none=True, exclude_defaults=True)
    return types.CallToolResult(content=[types.TextContent(text=encoded(value))], structured_content=value)


def failed(text: str) -> types.CallToolResult:
    return types.CallToolResult(content=[types.TextContent(text=text)], is_error=True)


def encoded(value: Any) -> str:
    """JSON in one line; half a surrogate pair, which no encoding can carry, becomes a question mark."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace").decode()


def entries_from(cursor: str | None, service: Service) -> types.ListResourcesResult:
    """The entries behind the id that is the cursor, a page of them."""
    rows = [row.summary for row in service.book.listed if cursor is None or row.summary.id > cursor]
    shown = rows[:PAGE]
    resources = [
        types.Resource(
            name=each.id,
            title=each.title,
            uri=address(each.id),
            description=each.summary,
            mime_type="application/json",
        )
        for each in shown
    ]
    following = shown[-1].id if len(rows) > len(shown) else None
    return types.ListResourcesResult(resources=resources, next_cursor=following)


def read(uri: str, service: Service) -> types.ReadResourceResult:
    """An entry with all its fields."""
    beginning = address("")
    try:
        entry = document(service, uri.removeprefix(beginning) if uri.startswith(beginning) else uri)
    except Refused as refused:
        raise MCPError(types.INVALID_PARAMS, refused.detail) from None
    text = json.dumps(entry, ensure_ascii=False, separators=(",", ":"))
    return types.ReadResourceResult(
        contents=[types.TextResourceContents(uri=uri, mime_type="application/json", text=text)]
    )


def quiet() -> None:
    """Keep the SDK's log to itself: its lines may quote what was asked. Ours says who asked for what."""
    log = logging.getLogger("mcp")
    log.addHandler(logging.NullHandler())
    log.propagate = False
