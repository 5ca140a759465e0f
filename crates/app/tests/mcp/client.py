"""Calls every tool of `lore mcp` with the client of the PyPI package `mcp`, which checks each answer's schema."""

import asyncio
import json
import os
import pathlib
import re
import subprocess
import sys

from calling_off import call_off
from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client

CALLS = [
    ("search", {"query": "where do bookings live"}, "Use PostgreSQL for bookings"),
    ("ask", {"question": "Where do bookings live?"}, "PostgreSQL"),
    ("brief", {"text": "move the bookings"}, "PostgreSQL"),
    ("context", {"prompt": "Do bookings live in PostgreSQL?", "session": "s"}, "PostgreSQL"),
    ("context", {"role": "planner", "prompt": "bookings in PostgreSQL"}, "Knowledge Applied"),
    ("ground", {"question": "Where do bookings live?"}, "confidence"),
    ("impact", {"design": "Move the bookings to another table"}, "files"),
    ("spike", {"question": "Should we use Redis or PostgreSQL for the queue?"}, "answered"),
    ("learn", {"kind": "pattern", "title": "Retry webhooks", "text": "Webhooks are retried three times."}, "added"),
]
READ_ONLY = {"search", "get", "brief", "ask", "context", "ground", "impact", "spike"}


RULES = [
    "Never use floating point for money; all amounts are integer cents.",
    "Confirmation mails are sent from the queue table, never from Redis.",
    "Log lines are written as JSON, one object per line.",
    "Every migration is written with its way back, never without one.",
]


def server_of(lore, project):
    environment = {name: os.environ[name] for name in ("HOME", "PATH", "LORE_USER") if name in os.environ}
    return StdioServerParameters(command=lore, args=["mcp"], env=environment, cwd=project)


def write_sessions(lore, project):
    """Writes one long session for each rule, so that each is a packet of its own."""
    folder = pathlib.Path(project, "sessions")
    folder.mkdir()
    for number, rule in enumerate(RULES):
        turns = [("user", rule), ("assistant", "Understood, this is how it is done here from now on. " * 22)]
        records = []
        for at, (role, words) in enumerate(turns):
            content = words if role == "user" else [{"type": "text", "text": words}]
            records.append(json.dumps({
                "parentUuid": f"r{number}-{at - 1}" if at else None, "uuid": f"r{number}-{at}",
                "sessionId": f"rule-{number}", "isSidechain": False, "cwd": project, "version": "2.0.0", "type": role,
                "timestamp": f"2026-02-0{number + 1}T10:0{at}:00Z",
                "message": {"role": role, "id": f"m{at}", "model": "m", "content": content}}))
        path = folder / f"rule-{number}.jsonl"
        path.write_text("\n".join(records) + "\n")
        os.utime(path, (1_700_000_000, 1_700_000_000))
    subprocess.run([lore, "--quiet", "config", "set", "--whose", "user", "sessions.paths", "sessions"],
                   cwd=project, check=True)


async def next_packet(session, tokens=2_050):
    """Fetches a packet, which is text alone: what to do with it and, inside the fence, the packet."""
    answer = await session.call_tool("curate_next", {"max_tokens": tokens})
    assert not answer.is_error and answer.structured_content is None, answer
    task, *packet = [block.text for block in answer.content]
    name = re.search(r"packet `(p-[0-9a-f]+)`", task)
    others = re.search(r"(\d+) (?:sessions? (?:is|are)|of them) with somebody else", task)
    return {"packet": name.group(1) if name else "", "text": "".join(packet), "taken": int(others.group(1)) if others else 0}


async def edit(session, given):
    """Answers a packet with one preference for each line that a person typed."""
    typed = re.findall(r"^\[(\d+)\] P: (.*)$", given["text"], re.M)
    edits = [{"op": "new", "kind": "preference", "title": " ".join(words.split()[:6]).rstrip(",;"), "text": words,
              "lines": [int(number)], "decided_by": "person"} for number, words in typed]
    done = (await session.call_tool("curate_submit", {"packet": given["packet"], "edits": edits})).structured_content
    if not done["written"]:
        looks = {number: "entailed" for number in re.findall(r"^CLAIM (\d+):", done["ask"], re.M)}
        again = {"packet": given["packet"], "edits": [], "looks": looks}
        done = (await session.call_tool("curate_submit", again)).structured_content
    assert done["written"], done
    return len(edits)


async def two_at_once(lore, project):
    """Two agents fetch packets side by side; one goes away with its own, the other does all the rest."""
    write_sessions(lore, project)
    server = server_of(lore, project)
    edited = 0
    async with stdio_client(server) as (read, write), ClientSession(read, write) as other:
        await other.initialize()
        async with stdio_client(server) as (dying_read, dying_write), ClientSession(dying_read, dying_write) as dying:
            await dying.initialize()
            lost = await next_packet(dying)
            first = await next_packet(other)
            assert first["packet"] and first["packet"] != lost["packet"], (first, lost)
            edited += await edit(other, first)
        while (given := await next_packet(other))["packet"]:
            assert given["packet"] != lost["packet"], "it is with somebody else for a quarter of an hour"
            edited += await edit(other, given)
        assert given["taken"] >= 1, given
    assert 0 < edited < len(RULES), edited
    listed = subprocess.run([lore, "list"], cwd=project, check=True, capture_output=True, text=True).stdout
    assert sum(listed.count(" ".join(rule.split()[:4])) for rule in RULES) == edited, listed


async def check(lore, project):
    server = server_of(lore, project)
    async with stdio_client(server) as (read, write), ClientSession(read, write) as session:
        hello = await session.initialize()
        assert hello.server_info.name == "lore", hello
        assert hello.instructions, "a model reads the instructions first"
        tools = {tool.name: tool for tool in (await session.list_tools()).tools}
        for name, tool in tools.items():
            assert tool.description and tool.input_schema and (tool.output_schema or name == "curate_next"), name
            assert tool.annotations.read_only_hint == (name in READ_ONLY), name
        for name, arguments, wanted in CALLS:
            answer = await session.call_tool(name, arguments)
            assert not answer.is_error and wanted in str(answer.structured_content), (name, answer)
        found = (await session.call_tool("search", {"query": "bookings"})).structured_content["hits"][0]["id"]
        for around in (0, 5):
            answer = await session.call_tool("get", {"id": found, "related": around})
            assert not answer.is_error and found in str(answer.structured_content), answer
        marked = await session.call_tool("mark", {"id": found, "outcome": "applied"})
        assert not marked.is_error, marked
        while packet := (await next_packet(session, 0))["packet"]:
            done = await session.call_tool("curate_submit", {"packet": packet, "edits": []})
            assert not done.is_error and done.structured_content["written"], done
        wrong = await session.call_tool("context", {"role": "tourist", "prompt": "x"})
        assert wrong.is_error, wrong


async def call_off_on_pipes(lore, project):
    """The same server goes on answering after a call was called off."""
    async with stdio_client(server_of(lore, project)) as (read, write), ClientSession(read, write) as session:
        await session.initialize()
        answered = await call_off(session, project)
    print(f"mcp: a call was called off; the next was answered after {answered:.1f} s")


asyncio.run(check(*sys.argv[1:]))
asyncio.run(two_at_once(*sys.argv[1:]))
asyncio.run(call_off_on_pipes(*sys.argv[1:]))
