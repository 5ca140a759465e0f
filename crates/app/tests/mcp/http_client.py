"""Calls tools over HTTP with the client of the PyPI package `mcp`: results, progress on the way, and calling off."""

import asyncio
import os
import sys

from calling_off import call_off, grow
from mcp import ClientSession
from mcp.client.streamable_http import create_mcp_http_client, streamable_http_client


async def main(url, project):
    client = create_mcp_http_client(headers={"Authorization": f"Bearer {os.environ['LORE_TOKEN']}"})
    async with client, streamable_http_client(url, http_client=client) as streams:
        async with ClientSession(streams[0], streams[1]) as session:
            await session.initialize()
            names = {tool.name for tool in (await session.list_tools()).tools}
            assert {"search", "ground", "impact", "learn"} <= names, names
            found = await session.call_tool("search", {"query": "where do bookings live"})
            assert "Use PostgreSQL for bookings" in found.content[0].text, found

            heard = []

            async def progress(done, total, message):
                heard.append((done, message))

            grow(project)
            await session.call_tool("impact", {"design": "Move the bookings to another table"}, progress_callback=progress)
            steps = [done for done, _ in heard]
            assert steps and steps == sorted(set(steps)), f"progress rises: {heard}"
            assert all(message for _, message in heard), heard
            await call_off(session, project)


asyncio.run(main(sys.argv[1], sys.argv[2]))
print("mcp: results and progress arrive over HTTP, and a call can be called off")
