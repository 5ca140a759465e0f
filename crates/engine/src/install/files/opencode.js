// Lorekeep in OpenCode: what this project knows, told at the start, with prompts and before edits.
// Written by `lore install opencode`; `lore uninstall opencode` takes it out. Without `lore` it does nothing.
import { spawn } from "node:child_process"

const PROGRAM = "@PROGRAM@"
const LIMIT = 5000

// Never fails and never waits long: an agent must not notice us by our failing.
function ask(event, message) {
  return new Promise((resolve) => {
    let out = ""
    let child
    const done = (value) => {
      clearTimeout(timer)
      resolve(value)
    }
    const timer = setTimeout(() => {
      child?.kill()
      resolve({})
    }, LIMIT)
    try {
      child = spawn(PROGRAM, ["hook", "opencode", event], { stdio: ["pipe", "pipe", "ignore"] })
    } catch {
      return done({})
    }
    child.on("error", () => done({}))
    child.stdin.on("error", () => {})
    child.stdout.on("data", (data) => (out += data))
    child.on("close", () => {
      try {
        done(JSON.parse(out).hookSpecificOutput ?? {})
      } catch {
        done({})
      }
    })
    child.stdin.end(JSON.stringify(message))
  })
}

export const Lorekeep = async ({ directory, worktree }) => {
  const cwd = directory ?? worktree
  const starts = new Map()
  const children = new Set()
  const told = (session, extra) => ({ session_id: session, cwd, ...extra })
  const begin = (session, source) => {
    if (!starts.has(session)) starts.set(session, ask("session-start", told(session, { source })))
    return starts.get(session)
  }

  return {
    event: async ({ event }) => {
      const info = event.properties?.info
      const session = event.properties?.sessionID ?? info?.id
      if (event.type === "session.created" && info?.parentID) children.add(session)
      if (!session || children.has(session)) return
      if (event.type === "session.idle") await ask("stop", told(session))
      if (event.type === "session.compacted") starts.delete(session)
      if (event.type === "session.deleted") await ask("session-end", told(session))
    },

    "experimental.chat.system.transform": async (input, output) => {
      if (!input.sessionID || children.has(input.sessionID)) return
      const { additionalContext } = await begin(input.sessionID, "startup")
      if (additionalContext) output.system.push(additionalContext)
    },

    "chat.message": async (input, output) => {
      if (children.has(input.sessionID)) return
      const typed = output.parts.filter((part) => part.type === "text" && !part.synthetic)
      const prompt = typed.map((part) => part.text).join("\n")
      if (!prompt.trim()) return
      const { additionalContext } = await ask("user-prompt-submit", told(input.sessionID, { prompt }))
      const model = typed[typed.length - 1]
      if (additionalContext) {
        output.parts.push({ ...model, id: `${model.id}lore`, text: additionalContext, synthetic: true })
      }
    },

    "tool.execute.before": async (input, output) => {
      const call = { tool_name: input.tool, tool_input: output.args }
      const said = await ask("pre-tool-use", told(input.sessionID, call))
      if (said.permissionDecision === "deny") throw new Error(said.permissionDecisionReason)
    },

    "tool.execute.after": async (input, output) => {
      const code = output.metadata?.exit
      if (input.tool !== "bash" || !code) return
      const call = { tool_name: input.tool, tool_input: input.args, error: output.output }
      const { additionalContext } = await ask("post-tool-use-failure", told(input.sessionID, call))
      if (additionalContext) output.output += `\n\n${additionalContext}`
    },

    "experimental.session.compacting": async (input, output) => {
      starts.delete(input.sessionID)
      const { additionalContext } = await begin(input.sessionID, "compact")
      if (additionalContext) output.context.push(additionalContext)
    },

    dispose: async () => {
      await Promise.all([...starts.keys()].map((session) => ask("session-end", told(session))))
    },
  }
}
