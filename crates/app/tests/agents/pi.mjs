// Has pi's own loader read the extension and the skills.
import { join } from "node:path"
import { pathToFileURL } from "node:url"

const [project, tools] = process.argv.slice(2)
const entry = join(tools, "node_modules/@earendil-works/pi-coding-agent/dist/index.js")
const pi = await import(pathToFileURL(entry))
const loaded = await pi.discoverAndLoadExtensions([join(project, ".pi/extensions/lore.ts")], project, join(project, "..", "agent"))
const skills = pi.loadSkills({ cwd: project, agentDir: join(project, "..", "agent"), skillPaths: [join(project, ".agents/skills")], includeDefaults: false })
console.log(`extensions ${loaded.extensions.length} errors ${loaded.errors.length} handlers ${[...loaded.extensions[0].handlers.keys()].length} skills ${skills.skills.length}`)
process.exit(0)
