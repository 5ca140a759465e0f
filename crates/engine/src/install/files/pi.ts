// Lorekeep in pi: what this project knows, told at the start, with prompts and before edits.
// Written by `lore install pi`; `lore uninstall pi` takes it out. Without `lore` it does nothing.
import { spawn } from "node:child_process";

const PROGRAM = "@PROGRAM@";
const LIMIT = 5000;

// Never fails and never waits long: an agent must not notice us by our failing.
function ask(event: string, message: object): Promise<any> {
  return new Promise((resolve) => {
    let out = "";
    let child: any;
    const done = (value: object) => {
      clearTimeout(timer);
      resolve(value);
    };
    const timer = setTimeout(() => {
      child?.kill();
      resolve({});
    }, LIMIT);
    try {
      child = spawn(PROGRAM, ["hook", "pi", event], { stdio: ["pipe", "pipe", "ignore"] });
    } catch {
      return done({});
    }
    child.on("error", () => done({}));
    child.stdin.on("error", () => {});
    child.stdout.on("data", (data: any) => (out += data));
    child.on("close", () => {
      try {
        done(JSON.parse(out).hookSpecificOutput ?? {});
      } catch {
        done({});
      }
    });
    child.stdin.end(JSON.stringify(message));
  });
}

export default function (pi: any) {
  let start = "";

  const told = (ctx: any, extra: object = {}) => {
    const file = ctx.sessionManager?.getSessionFile?.();
    const session = ctx.sessionManager?.getSessionId?.() ?? file ?? "pi";
    return { session_id: session, cwd: ctx.cwd, transcript_path: file ?? null, ...extra };
  };

  pi.on("session_start", async (event: any, ctx: any) => {
    const source = event.reason === "resume" || event.reason === "fork" ? "resume" : "startup";
    start = (await ask("session-start", told(ctx, { source }))).additionalContext ?? "";
  });

  pi.on("before_agent_start", async (event: any, ctx: any) => {
    const parts = [start];
    start = "";
    if (event.prompt) {
      parts.push((await ask("user-prompt-submit", told(ctx, { prompt: event.prompt }))).additionalContext ?? "");
    }
    const content = parts.filter(Boolean).join("\n");
    if (content) return { message: { customType: "lorekeep", content, display: false } };
  });

  pi.on("tool_call", async (event: any, ctx: any) => {
    const said = await ask("pre-tool-use", told(ctx, { tool_name: event.toolName, tool_input: event.input }));
    if (said.permissionDecision === "deny") return { block: true, reason: said.permissionDecisionReason };
  });

  pi.on("tool_result", async (event: any, ctx: any) => {
    if (!event.isError || event.toolName !== "bash") return;
    const error = (event.content ?? []).map((part: any) => part.text ?? "").join("\n");
    const call = { tool_name: event.toolName, tool_input: event.input, error };
    const { additionalContext } = await ask("post-tool-use-failure", told(ctx, call));
    if (additionalContext) return { content: [...event.content, { type: "text", text: additionalContext }] };
  });

  pi.on("session_compact", async (_event: any, ctx: any) => {
    start = (await ask("session-start", told(ctx, { source: "compact" }))).additionalContext ?? "";
  });

  pi.on("agent_settled", async (_event: any, ctx: any) => {
    await ask("stop", told(ctx));
  });

  pi.on("session_shutdown", async (_event: any, ctx: any) => {
    await ask("session-end", told(ctx));
  });
}
