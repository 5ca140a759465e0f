// Drives the plugin for OpenCode and the extension for pi as their hosts do, against a real base.
import assert from "node:assert"
import { copyFileSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { pathToFileURL } from "node:url"

const project = process.argv[2]

const { Lorekeep } = await import(pathToFileURL(join(project, ".opencode/plugins/lore.js")))
const hooks = await Lorekeep({ directory: project, worktree: project })
const system = { system: [] }
await hooks["experimental.chat.system.transform"]({ sessionID: "o1" }, system)
assert.match(system.system[0], /floating point/)
await hooks["experimental.chat.system.transform"]({ sessionID: "o1" }, system)
assert.equal(system.system[1], system.system[0], "the system prompt stays what it is")
const message = { parts: [{ id: "p", type: "text", text: "thanks" }] }
await hooks["chat.message"]({ sessionID: "o1" }, message)
assert.equal(message.parts.length, 1, "an everyday prompt gets nothing")
await hooks["tool.execute.before"]({ tool: "read", sessionID: "o1", callID: "c" }, { args: { filePath: "a" } })
await hooks.event({ event: { type: "session.created", properties: { info: { id: "child", parentID: "o1" } } } })
const child = { system: [] }
await hooks["experimental.chat.system.transform"]({ sessionID: "child" }, child)
assert.equal(child.system.length, 0, "a child session is not told")
await hooks.event({ event: { type: "session.idle", properties: { sessionID: "o1" } } })
await hooks.dispose()

// Types are taken out by hand, so that no compiler is needed.
const source = readFileSync(join(project, ".pi/extensions/lore.ts"), "utf8")
const plain = source.replace(/: (any|object|string|Promise<any>)(?= =|[,)\];]| \{)/g, "")
const module = join(project, "..", "lore-pi.mjs")
writeFileSync(module, plain)
const handlers = {}
const { default: extend } = await import(pathToFileURL(module))
extend({ on: (name, handler) => (handlers[name] = handler) })
const ctx = { cwd: project, sessionManager: { getSessionFile: () => join(project, "none.jsonl"), getSessionId: () => "p1" } }
await handlers.session_start({ reason: "startup" }, ctx)
const start = await handlers.before_agent_start({ prompt: "thanks" }, ctx)
assert.match(start.message.content, /floating point/)
assert.equal(await handlers.before_agent_start({ prompt: "thanks" }, ctx), undefined)
assert.equal(await handlers.tool_call({ toolName: "read", input: { path: "a" } }, ctx), undefined)
await handlers.agent_settled({}, ctx)
await handlers.session_shutdown({ reason: "quit" }, ctx)

// Without the program both are silent.
const alone = join(project, "..", "alone.mjs")
copyFileSync(join(project, ".opencode/plugins/lore.js"), alone)
writeFileSync(alone, readFileSync(alone, "utf8").replace('"lore"', '"no-such-program-anywhere"'))
const other = await (await import(pathToFileURL(alone))).Lorekeep({ directory: project })
const none = { system: [] }
await other["experimental.chat.system.transform"]({ sessionID: "x" }, none)
assert.equal(none.system.length, 0)
console.log("agents: the plugin for opencode and the extension for pi do their part")
process.exit(0)
