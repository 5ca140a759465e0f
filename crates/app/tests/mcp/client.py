"""Calls every tool of `lore mcp` with the client of the PyPI package `mcp`, which checks each answer's schema."""

import asyncio
import os
import sys

from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client

CALLS = [
    ("search", {"query": "where do bookings live"}, "Use PostgreSQL for bookings"),
    ("ask", {"question": "Where do bookings live?"}, "PostgreSQL"),
    ("brief", {"text": "move the bookings"}, "PostgreSQL"),
    ("context", {"prompt": "Do bookings live in PostgreSQL?", "session": "s"}, "PostgreSQL"),
    ("surface", {"role": "planner", "task": "bookings in PostgreSQL"}, "Knowledge Applied"),
    ("learn", {"kind": "pattern", "title": "Retry webhooks", "text": "Webhooks are retried three times."}, "added"),
]
READ_ONLY = {"search", "get", "related", "brief", "ask", "context", "surface"}


async def check(lore, project):
    environment = {name: os.environ[name] for name in ("HOME", "PATH", "LORE_USER") if name in os.environ}
    server = StdioServerParameters(command=lore, args=["mcp"], env=environment, cwd=project)
    async with stdio_client(server) as (read, write), ClientSession(read, write) as session:
        hello = await session.initialize()
        assert hello.server_info.name == "lore", hello
        assert hello.instructions, "a model reads the instructions first"
        tools = {tool.name: tool for tool in (await session.list_tools()).tools}
        for name, tool in tools.items():
            assert tool.description and tool.input_schema and tool.output_schema, name
            assert tool.annotations.read_only_hint == (name in READ_ONLY), name
        for name, arguments, wanted in CALLS:
            answer = await session.call_tool(name, arguments)
            assert not answer.is_error and wanted in str(answer.structured_content), (name, answer)
        found = (await session.call_tool("search", {"query": "bookings"})).structured_content["hits"][0]["id"]
        for name in ("get", "related"):
            answer = await session.call_tool(name, {"id": found})
            assert not answer.is_error and found in str(answer.structured_content), (name, answer)
        marked = await session.call_tool("mark", {"id": found, "outcome": "applied"})
        assert not marked.is_error, marked
        while packet := (await session.call_tool("curate_next", {})).structured_content["packet"]:
            done = await session.call_tool("curate_submit", {"packet": packet, "edits": []})
            assert not done.is_error and done.structured_content["written"], done
        wrong = await session.call_tool("surface", {"role": "tourist", "task": "x"})
        assert wrong.is_error, wrong


asyncio.run(check(*sys.argv[1:]))
