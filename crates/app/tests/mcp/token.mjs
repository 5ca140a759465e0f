// Gives every request to the server under test its token: the suite has no option for that. It asks through `fetch`
// and, where a header must be wrong on purpose, through undici.
import { createRequire } from "node:module"
import { join } from "node:path"

const [name, value] = ["authorization", `Bearer ${process.env.LORE_TOKEN}`]

const send = globalThis.fetch
globalThis.fetch = (target, options = {}) => {
  const headers = new Headers(options.headers ?? (target instanceof Request ? target.headers : undefined))
  headers.set(name, value)
  return send(target, { ...options, headers })
}
// The suite's own copy, wherever npm put it.
const suite = join(process.cwd(), "node_modules/@modelcontextprotocol/conformance/package.json")
const undici = createRequire(suite)("undici")
const ask = undici.request
undici.request = (target, options = {}) => ask(target, { ...options, headers: { ...options.headers, [name]: value } })
