"""Reads, searches and decides on the page of a small base, as a person with a browser does."""

import json
import os
import pathlib
import re
import subprocess
import sys

from driver import Browser

LORE, CHROMIUM, DRIVER, WORK, SHOTS = sys.argv[1:6]
BASE = pathlib.Path(WORK) / "kayaks"
DECISION = """---
id: dec-2026-03-02-move-bookings-to-postgresql
type: decision
title: Move the booking database to PostgreSQL
status: current
created: "2026-03-02T09:02:20Z"
updated: "2026-03-27T08:42:47Z"
tags: [database, booking]
sources:
  - {id: s1, resource: "session://claude-code/7ed57110#L4", voice: person, session: 7ed57110, lines: [4], at: "2026-03-02T09:02:20Z"}
  - {id: s2, resource: "session://claude-code/ea125196#L7", voice: person, session: ea125196, lines: [7], at: "2026-03-27T08:42:47Z"}
curated_by: auto
---

Move the booking database to PostgreSQL. SQLite no longer works for us now that there are two instances.[^s2]

## Context

- A person on 2026-03-27: “OK, move the booking database to PostgreSQL.”[^s2]

## History

- Use SQLite for the booking database, it is a single process anyway.[^s1]
  Until 2026-03-27T08:42:47Z
  Replaced by: Move the booking database to PostgreSQL. SQLite no longer works for us now that there are two instances.

[^s1]: A person
[^s2]: A person
"""
DISPUTE = """---
id: fac-2026-04-02-cancellations-are-free
type: fact
title: Cancellations are free until 24 hours before the start
status: disputed
created: "2026-04-02T15:23:58Z"
tags: [booking]
sources:
  - {id: s1, resource: "session://codex/dc19a136#L13", voice: person, session: dc19a136, lines: [13], at: "2026-04-02T15:23:58Z"}
  - {id: s2, resource: "session://claude-code/ed94e001#L2", voice: person, session: ed94e001, lines: [2], at: "2026-04-02T16:01:00Z"}
curated_by: auto
---

## Conflict

The sources contradict each other and nobody has decided yet.

- Cancellations are free until 24 hours before the start.[^s1]
  Said by a person on 2026-04-02
- Cancellations are free until 48 hours before the start.[^s2]
  Said by a person on 2026-04-02

[^s1]: A person
[^s2]: A person
"""
HOSTILE = """---
id: fac-2026-03-01-hostile
type: fact
title: "</script><script>window.hacked=1</script><img src=x onerror=window.hacked=2>"
status: current
created: "2026-03-01T09:00:00Z"
tags: ["<b onmouseover=window.hacked=3>"]
sources:
  - id: s1
    resource: "javascript:window.hacked=4"
    voice: web
curated_by: auto
---

<svg onload=window.hacked=5> and [a link](javascript:window.hacked=6) and `<script>window.hacked=7</script>`.[^s1]

## Notes

[another](javascript:window.hacked=8) <iframe srcdoc="<script>parent.hacked=9</script>"></iframe>

[^s1]: A page
"""


def lore(*arguments):
    return subprocess.run([LORE, "-C", str(BASE), *arguments], check=True, capture_output=True, text=True).stdout


def said(step):
    print(f"browser: {step}", flush=True)


def is_clean(browser):
    """Nothing ran that is not ours, and the policy had nothing to refuse."""
    assert browser.run("return window.hacked === undefined"), "a hostile entry ran"
    complaints = [line["message"] for line in browser.log() if line["level"] == "SEVERE"]
    assert not complaints, complaints
    bad = browser.run("return [...document.querySelectorAll('a')].map(a => a.getAttribute('href')).filter(h => !/^(#|https?:)/.test(h))")
    assert not bad, bad


def rows(browser):
    return browser.run("return [...document.querySelectorAll('.row h3')].map(h => h.innerText)")


def search(browser, words):
    browser.run("document.getElementById('search').value = ''")
    browser.type("#search", words)
    browser.until(lambda: browser.text("#shelf-title") == "Found", "the search answers")


def picture(browser, name):
    if SHOTS:
        pathlib.Path(SHOTS).mkdir(parents=True, exist_ok=True)
        browser.screenshot(f"{SHOTS}/{name}.png")


def reading(browser, page):
    browser.open(page.as_uri())
    browser.until(lambda: rows(browser), "the shelf is filled")
    assert "kayaks" in browser.text("#main h1"), browser.text("#main h1")
    assert browser.text(".sidecard .say"), "the dispute stands side by side"
    picture(browser, "overview")

    browser.press("/")
    search(browser, "postgresql instances")
    assert "PostgreSQL" in rows(browser)[0], rows(browser)
    browser.press("Enter")
    browser.until(lambda: "PostgreSQL" in (browser.text("#entry-title") or ""), "the entry is opened")
    entry = browser.text("#entry")
    for words in ["SQLite no longer works", "What held before", "A person", "27 Mar 2026", "line 7", "copy"]:
        assert words in entry, f"{words!r} is missing in {entry}"
    assert browser.run("return document.querySelectorAll('#entry svg g[role=link]').length") == 2, "what replaced what is drawn"
    assert browser.run("return document.activeElement.id") == "entry-title", "the focus is on what was opened"
    picture(browser, "entry")

    browser.press("Escape")
    browser.until(lambda: browser.text("#shelf-title") == "Contents", "Esc leaves the search")
    browser.press("g")
    chosen = "return document.querySelector('.row[aria-selected=true] h3').innerText"
    first = browser.run(chosen)
    browser.press("j")
    assert browser.run(chosen) != first
    browser.press("k")
    assert browser.run(chosen) == first
    browser.press("j", "Enter")
    browser.until(lambda: browser.run("return location.hash").startswith("#/e/"), "Enter opens")
    browser.press("?")
    browser.until(lambda: browser.run("return document.getElementById('help').open"), "the keys are shown")
    browser.press("Escape")
    browser.until(lambda: not browser.run("return document.getElementById('help').open"), "Esc closes them")
    for number, heading in [("3", "Side by side"), ("4", "Timeline"), ("5", "What replaced what")]:
        browser.press(number)
        browser.until(lambda: browser.text("#main h1") == heading, heading)
    is_clean(browser)
    said("read, searched and walked through by keys")


def hostile(browser):
    search(browser, "window.hacked")
    browser.press("Enter")
    browser.until(lambda: "</script>" in (browser.text("#entry-title") or ""), "it is shown as text")
    text = browser.text("#entry")
    for words in ["<svg onload=", "javascript:window.hacked=4", "<iframe srcdoc="]:
        assert words in text, f"{words!r} is missing in {text}"
    assert browser.run("return document.querySelectorAll('#entry img, #entry iframe, #entry script').length") == 0
    browser.run("document.querySelectorAll('#entry a, #entry span').forEach(e => e.dispatchEvent(new MouseEvent('mouseover', {bubbles: true})))")
    is_clean(browser)
    said("a hostile entry is text and nothing else")


def everybody(browser, page):
    """Landmarks, names, both themes, a phone."""
    browser.open(page.as_uri() + "#/")
    browser.until(lambda: rows(browser), "the shelf is filled")
    nodes = browser.emulate("Accessibility.getFullAXTree")["nodes"]
    role = lambda node: node.get("role", {}).get("value")
    name = lambda node: node.get("name", {}).get("value", "").strip()
    roles = {role(node) for node in nodes if not node.get("ignored")}
    assert {"banner", "main", "navigation", "search", "listbox", "option"} <= roles, roles
    nameless = [node for node in nodes if role(node) in ("button", "link", "searchbox", "listbox", "dialog", "navigation") and not node.get("ignored") and not name(node)]
    assert not nameless, nameless
    ids = browser.run("return [...document.querySelectorAll('[id]')].map(e => e.id)")
    assert len(ids) == len(set(ids)), "an id stands twice"
    paper = "return getComputedStyle(document.documentElement).backgroundColor"
    colours = []
    for theme in ("light", "dark"):
        browser.emulate("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": theme}])
        colours.append(browser.run(paper))
    assert colours[0] != colours[1], colours
    picture(browser, "dark")
    browser.press("t")
    assert browser.run(paper) == colours[0], "the user's choice goes first"
    browser.run("localStorage.clear(); delete document.documentElement.dataset.theme")
    browser.emulate("Emulation.setEmulatedMedia", features=[])
    browser.emulate("Emulation.setDeviceMetricsOverride", width=390, height=844, deviceScaleFactor=2, mobile=True)
    for place in ("#/", "#/contents", "#/waiting", "#/timeline", "#/replaced"):
        browser.run("location.hash = arguments[0]", place)
        browser.until(lambda: browser.run("return document.querySelector('main').children.length > 0"), place)
        wide = browser.run("return [document.documentElement.scrollWidth, ...['main', 'list'].map(id => document.getElementById(id).scrollWidth)].filter(w => w > innerWidth)")
        assert not wide, f"{place} is wider than a phone: {wide}"
    browser.run("location.hash = '#/contents'")
    browser.until(lambda: browser.run("return document.getElementById('frame').dataset.open") == "shelf", "the list is shown")
    browser.click(".row")
    browser.until(lambda: browser.text("#entry-title"), "a tap opens")
    picture(browser, "phone")
    browser.click(".back")
    assert browser.run("return getComputedStyle(document.getElementById('main')).display") == "none"
    browser.emulate("Emulation.clearDeviceMetricsOverride")
    is_clean(browser)
    said("landmarks, names, both themes and a phone are in order")


def many(browser, page):
    """Ten thousand entries: few in the document, an answer within a frame or two."""
    whole = page.read_text()
    start, end = whole.index('id="lore-data">') + len('id="lore-data">'), whole.index("</script>")
    data = json.loads(whole[start:end])
    few = len(data["entries"])
    count = 10_000 // few * few
    data["entries"] = [dict(data["entries"][at % few], id=f"e-{at}", handle=f"e-{at}", title=f"{data['entries'][at % few]['title']} {at}", links=[]) for at in range(count)]
    for groups in (data["kinds"], data["subjects"]):
        for group in groups:
            group["entries"] = sorted(place + few * copy for place in group["entries"] for copy in range(count // few))
    data["timeline"] = [dict(event, entry=event["entry"] + few * copy) for event in data["timeline"] for copy in range(count // few)]
    large = page.with_name("large.html")
    large.write_text(whole[:start] + json.dumps(data).replace("<", "\\u003c") + whole[end:])
    browser.open(large.as_uri())
    browser.until(lambda: rows(browser), "the shelf is filled")
    ready = browser.run("return performance.getEntriesByType('navigation')[0].domContentLoadedEventEnd")
    spent = """
      const box = document.getElementById('search'), done = arguments[0], times = [];
      return (async () => {
        for (const words of ['p', 'po', 'postgres', 'postgresql 77', 'money']) {
          box.value = words;
          const start = performance.now();
          box.dispatchEvent(new Event('input'));
          await new Promise(next => requestAnimationFrame(() => setTimeout(next)));
          times.push(performance.now() - start);
        }
        box.value = ''; box.dispatchEvent(new Event('input'));
        await new Promise(next => requestAnimationFrame(() => setTimeout(next)));
        const list = document.getElementById('list'), frames = [];
        for (let at = 0; at < 40; at += 1) {
          const start = performance.now();
          list.scrollTop = at * list.scrollHeight / 40;
          await new Promise(next => requestAnimationFrame(() => setTimeout(next)));
          frames.push(performance.now() - start);
        }
        return { search: Math.max(...times), frame: frames.sort((a, b) => a - b)[20], rows: document.querySelectorAll('.row').length };
      })();"""
    told = browser.run(spent)
    said(f"{count} entries, {large.stat().st_size >> 10} KB: ready after {ready:.0f} ms, a key {told['search']:.0f} ms at most, a frame {told['frame']:.0f} ms, {told['rows']} rows in the document")
    # Far above what a quiet machine takes, far below what a person notices as a stutter of the program.
    assert ready < 10_000 and told["search"] < 1000 and told["frame"] < 250 and told["rows"] < 60, told
    is_clean(browser)


def deciding(browser):
    served = subprocess.Popen([LORE, "-C", str(BASE), "view", "--serve", "--json"], stdout=subprocess.PIPE, text=True)
    try:
        lines = iter(served.stdout.readline, "")
        address = next(found.group(1) for found in (re.search(r'"address": "([^"]+)"', line) for line in lines) if found)
        browser.open(address + "#/waiting")
        browser.until(lambda: browser.run("return document.querySelectorAll('[data-settle]').length") == 2, "both sides can be chosen")
        assert json.loads(lore("list", "--status", "disputed", "--json"))["total"] == 1
        picture(browser, "served")
        browser.click("[data-settle='2']")
        browser.until(lambda: "Settled" in (browser.text("#toast") or ""), "it is settled")
        browser.until(lambda: "Nothing is in dispute" in browser.text("#main"), "the page shows the base as it is now")
        assert json.loads(lore("list", "--status", "disputed", "--json"))["total"] == 0, "the base changed"
        search(browser, "48 hours")
        browser.press("Enter")
        browser.until(lambda: "Confirmed by ada" in (browser.text("#entry") or ""), "it is confirmed")

        search(browser, "floating point")
        browser.press("Enter")
        browser.until(lambda: "floating" in (browser.text("#entry-title") or ""), "the entry is opened")
        browser.click("#keep")
        browser.until(lambda: "Confirmed by ada" in (browser.text("#entry") or ""), "kept is confirmed")
        search(browser, "dependencies without asking")
        browser.press("Enter")
        browser.until(lambda: "dependencies" in (browser.text("#entry-title") or ""), "the entry is opened")
        browser.click("#reject")
        browser.type("#why", "we ask anyway")
        browser.click("#reject-yes")
        browser.until(lambda: "no such entry" in (browser.text("#main h1") or ""), "what was rejected is gone")
        assert not list((BASE / "knowledge").rglob("add-no-dependencies*")), "and from the base"

        # Another page of the same browser knows the address but not the way in.
        token = address.rstrip("/").rsplit("/", 1)[1]
        is_clean(browser)
        browser.open(address.replace(token, "0" * len(token)))
        assert "token" in browser.text("body"), browser.text("body")
    finally:
        served.terminate()
        served.wait()
    said("a dispute settled, an entry kept, another rejected; the base changed")


def made():
    """A decision with its history, a dispute, a hostile fact, and two entries of an agent that nobody has looked at."""
    BASE.mkdir()
    subprocess.run(["git", "init", "--quiet", str(BASE)], check=True)
    lore("--quiet", "init")
    agent = dict(os.environ, CLAUDECODE="1")
    for title in ("Never use floating point for money", "Add no dependencies without asking"):
        subprocess.run([LORE, "-C", str(BASE), "--quiet", "new", title, "--body", title + "."], check=True, capture_output=True, env=agent)
    for name, text in (("decisions/move", DECISION), ("project/cancellations", DISPUTE), ("project/hostile", HOSTILE)):
        path = BASE / "knowledge" / f"{name}.md"
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)


made()
PAGE = pathlib.Path(WORK) / "page.html"
lore("view", "--out", str(PAGE))
with Browser(CHROMIUM, DRIVER) as window:
    reading(window, PAGE)
    hostile(window)
    everybody(window, PAGE)
    many(window, PAGE)
    deciding(window)
said("content")
