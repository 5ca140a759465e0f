"""A browser, driven over WebDriver with the standard library alone."""

import base64
import json
import shutil
import socket
import subprocess
import tempfile
import time
import urllib.error
import urllib.request

FLAGS = [
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync", "--hide-scrollbars",
]
ELEMENT = "element-6066-11e4-a52e-4f735466cecf"
KEYS = {"Enter": "\ue007", "Escape": "\ue00c", "Down": "\ue015", "Tab": "\ue004"}


class Failed(Exception):
    """What the browser refused."""


class Browser:
    """One window of a fresh profile; use it with `with`."""

    def __init__(self, chromium, chromedriver, width=1280, height=860):
        self.profile = tempfile.mkdtemp(prefix="lore-browser-")
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        self.driver = subprocess.Popen([chromedriver, f"--port={port}"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.base = f"http://127.0.0.1:{port}"
        self.until(lambda: self.call("GET", "/status")["ready"], "chromedriver answers")
        options = {"binary": chromium, "args": [*FLAGS, f"--user-data-dir={self.profile}", f"--window-size={width},{height}"]}
        wanted = {"capabilities": {"alwaysMatch": {"goog:chromeOptions": options, "goog:loggingPrefs": {"browser": "ALL"}}}}
        self.base += "/session/" + self.call("POST", "/session", wanted)["sessionId"]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        try:
            self.call("DELETE", "")
        finally:
            self.driver.terminate()
            self.driver.wait()
            shutil.rmtree(self.profile, ignore_errors=True)

    def call(self, method, path, body=None):
        data = None if method == "GET" else json.dumps(body or {}).encode()
        request = urllib.request.Request(self.base + path, data, {"content-type": "application/json"}, method=method)
        try:
            with urllib.request.urlopen(request, timeout=30) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as error:
            raise Failed(error.read().decode()[:600]) from None
        except OSError as error:
            raise Failed(str(error)) from None

    def until(self, holds, what, seconds=15):
        """Asks again until something holds; a browser takes its time."""
        end = time.monotonic() + seconds
        while True:
            try:
                found = holds()
                if found:
                    return found
            except Failed:
                pass
            if time.monotonic() > end:
                raise AssertionError(f"never: {what}")
            time.sleep(0.03)

    def open(self, address):
        self.call("POST", "/url", {"url": address})

    def run(self, script, *args):
        return self.call("POST", "/execute/sync", {"script": script, "args": list(args)})

    def find(self, selector):
        return self.call("POST", "/element", {"using": "css selector", "value": selector})[ELEMENT]

    def text(self, selector):
        return self.run("const e = document.querySelector(arguments[0]); return e && e.innerText", selector)

    def click(self, selector):
        self.call("POST", f"/element/{self.find(selector)}/click")

    def type(self, selector, text):
        self.call("POST", f"/element/{self.find(selector)}/value", {"text": text})

    def press(self, *keys):
        """Presses keys wherever the focus is."""
        actions = [{"type": kind, "value": KEYS.get(key, key)} for key in keys for kind in ("keyDown", "keyUp")]
        self.call("POST", "/actions", {"actions": [{"type": "key", "id": "keys", "actions": actions}]})

    def log(self):
        """What the console said since it was last asked: errors, and what the policy refused."""
        return self.call("POST", "/se/log", {"type": "browser"})

    def emulate(self, command, **parameters):
        return self.call("POST", "/goog/cdp/execute", {"cmd": command, "params": parameters})

    def screenshot(self, path):
        with open(path, "wb") as file:
            file.write(base64.b64decode(self.call("GET", "/screenshot")))
