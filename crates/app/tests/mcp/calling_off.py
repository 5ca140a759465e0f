"""Calls a long tool and calls it off as soon as it is under way: the work ends, the server goes on answering."""

import asyncio
import pathlib
import time

LONGEST = 60


def grow(project, seed=0):
    """Makes a tree that takes a while to read; another seed makes it new."""
    for number in range(3000):
        path = pathlib.Path(project, "src", f"part{number % 60}", f"module{number}.py")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("".join(f"def booking_{number}_{at}_{seed}(value):\n    return value + {at}\n" for at in range(60)))


async def call_off(session, project):
    """Cancels the call in the client, which tells the server so in the words of the protocol."""
    grow(project, 1)
    heard, under_way = [], asyncio.Event()

    async def progress(done, total, message):
        heard.append((done, total))
        under_way.set()

    def call():
        return session.call_tool("impact", {"design": "Move the bookings to another table"}, progress_callback=progress)

    running = asyncio.ensure_future(call())
    await asyncio.wait_for(under_way.wait(), LONGEST)
    assert not running.done(), "a call that takes a while"
    running.cancel()
    try:
        await running
        raise AssertionError("the call was answered although it was called off")
    except asyncio.CancelledError:
        pass
    # What was on its way may still arrive; after the answer to another call nothing is.
    began = time.monotonic()
    found = await asyncio.wait_for(session.call_tool("search", {"query": "where do bookings live"}), LONGEST)
    assert "Use PostgreSQL for bookings" in found.content[0].text, found
    answered = time.monotonic() - began
    settled = len(heard)
    await asyncio.sleep(1)
    assert len(heard) == settled, f"it went on after it was called off: {heard[settled:]}"
    done, total = heard[-1]
    assert total is None or done < total, f"it was done before it was called off: {heard[-3:]}"
    # Nothing of it is kept, so the same call begins anew, and is answered.
    heard.clear()
    again = await asyncio.wait_for(call(), 5 * LONGEST)
    assert not again.is_error, again
    assert heard and heard[0][0] <= settled, heard[:3]
    return answered
