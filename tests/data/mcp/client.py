"""Drives an MCP server by the official client and prints what it saw, as one JSON object.

client.py stdio PROGRAM ARGUMENT…
client.py http URL TOKEN
"""

import asyncio
import json
import sys

import httpx2
from mcp import Client, Implementation, MCPError, StdioServerParameters
from mcp.client.streamable_http import streamable_http_client

BLUE = {"r": 0.1, "g": 0.3, "b": 0.9}
CARD = {"x": 24, "y": 120, "width": 320, "height": 200, "name": "Card", "fillColor": BLUE}
TITLE = {"x": 16, "y": 16, "width": 200, "height": 36, "name": "Title", "text": "Tides"}
BUTTON = {"x": 16, "y": 80, "width": 120, "height": 40, "name": "Button"}


def plain(value):
    """A value of the protocol as it was on the wire."""
    return value.model_dump(mode="json", by_alias=True, exclude_none=True)


async def call(client, tool, **arguments):
    """A call's result, or the error of the protocol in its place."""
    try:
        return plain(await client.call_tool(tool, arguments))
    except MCPError as error:
        return {"error": {"code": error.error.code, "message": error.error.message}}


async def draw(client):
    """A small screen in two turns, with two calls that cannot be made."""
    card = await call(client, "create_frame", **CARD)
    inside = card["structuredContent"]["id"]
    results = [card]
    results += await asyncio.gather(
        call(client, "create_text", **TITLE, parentId=inside),
        call(client, "create_rectangle", **BUTTON, parentId=inside),
        call(client, "set_corner_radius", nodeId=inside, radius=16),
    )
    await asyncio.sleep(1)
    results.append(await call(client, "make_coffee"))
    results.append(await call(client, "create_text", **{**TITLE, "x": "left"}))
    results.append(await call(client, "set_corner_radius", nodeId="99:99", radius=1))
    results.append(await call(client, "get_result_image", scale=1))
    return results


async def refused(what):
    """The error that asking for something brings."""
    try:
        return plain(await what)
    except MCPError as error:
        return {"code": error.error.code, "message": error.error.message}


async def look(client):
    """Everything there is to see and to do."""
    resources = (await client.list_resources()).resources
    prompts = (await client.list_prompts()).prompts
    return {
        "server": plain(client.server_info),
        "protocol": client.protocol_version,
        "instructions": client.instructions,
        "tools": plain(await client.list_tools())["tools"],
        "resources": [plain(resource) for resource in resources],
        "read": [plain(await client.read_resource(resource.uri)) for resource in resources],
        "prompts": [plain(prompt) for prompt in prompts],
        "prompt": plain(await client.get_prompt(prompts[0].name)),
        "no_resource": await refused(client.read_resource("pentimento://task/other.png")),
        "no_prompt": await refused(client.get_prompt("other")),
        "results": await draw(client),
    }


async def main(how, *rest):
    me = Implementation(name="tests of the canvas", version="4.2")
    if how == "stdio":
        server = StdioServerParameters(command=rest[0], args=list(rest[1:]))
        async with Client(server, client_info=me) as client:
            return await look(client)
    url, token = rest
    headers = {"Authorization": f"Bearer {token}"}
    async with httpx2.AsyncClient(headers=headers, timeout=60) as http:
        async with Client(streamable_http_client(url, http_client=http), client_info=me) as client:
            return await look(client)


print(json.dumps(asyncio.run(main(*sys.argv[1:]))))
