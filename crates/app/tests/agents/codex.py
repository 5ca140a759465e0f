"""Asks Codex's own server which hooks and skills of ours it knows."""

import json
import os
import subprocess

server = subprocess.Popen(["codex", "app-server"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL, text=True)


def send(message):
    server.stdin.write(json.dumps(message) + "\n")
    server.stdin.flush()


send({"id": 1, "method": "initialize", "params": {"clientInfo": {"name": "check", "title": "check", "version": "1"}}})
send({"method": "initialized"})
send({"id": 2, "method": "hooks/list", "params": {"cwds": [os.getcwd()]}})
send({"id": 3, "method": "skills/list", "params": {"cwds": [os.getcwd()]}})
replies = {}
while len(replies) < 2 and (line := server.stdout.readline()):
    message = json.loads(line)
    if message.get("id") in (2, 3):
        replies[message["id"]] = message["result"]["data"][0]
server.kill()
hooks = [hook for hook in replies[2]["hooks"] if "lore hook codex" in (hook.get("command") or "")]
ours = {"knowledge", "curate", "spike", "reflect", "ground"}
skills = ours & {skill["name"] for skill in replies[3]["skills"]}
print(f"hooks {len(hooks)} skills {len(skills)}")
