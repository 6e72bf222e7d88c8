// Hands one call to a plugin as OpenCode does before a tool runs, and prints what becomes of it: `deny`, or nothing.
// It is started with the path of the plugin, and reads the call in the words of Interlock's plugin.
import { readFileSync } from "node:fs"
import { pathToFileURL } from "node:url"

const client = {
  session: { get: async () => ({ data: {} }) },
  mcp: { status: async () => ({ data: {} }) },
  tui: { showToast: async () => ({}) },
}

async function load(path, directory) {
  // Node takes a file of that name for CommonJS, if it is given its path.
  const source = () => `data:text/javascript,${encodeURIComponent(readFileSync(path, "utf8"))}`
  const plugins = Object.values(await import(process.versions.bun ? pathToFileURL(path).href : source()))
  return Promise.all(plugins.map((plugin) => plugin({ client, directory })))
}

async function deny(hooks, call) {
  const input = { tool: call.tool, sessionID: call.session_id, callID: call.call_id }
  for (const hook of hooks) {
    try {
      await hook["tool.execute.before"]?.(input, { args: call.args })
    } catch (error) {
      return { deny: String(error?.message ?? error) }
    }
  }
  return {}
}

const call = JSON.parse(readFileSync(0, "utf8"))
try {
  console.log(JSON.stringify(await deny(await load(process.argv[2], call.cwd), call)))
} catch (error) {
  // OpenCode goes on without a plugin that cannot be loaded.
  console.log(JSON.stringify({ notice: `the plugin cannot be loaded: ${String(error?.message ?? error).slice(0, 200)}` }))
}
