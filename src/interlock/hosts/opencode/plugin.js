// Interlock's plugin for OpenCode: every call of a tool is judged before it runs, and every result before it is read.
// `interlock init` writes this file and `interlock uninstall` removes it. It decides nothing: it passes what OpenCode
// says to Interlock's client, and carries out the answer. Without an answer the call does not run.
import { spawn } from "node:child_process"

const { client, socket, seconds, failed } = "INTERLOCK"
const started = Math.trunc(performance.timeOrigin)

// The answer to one event, or an error: the program is missing, ends badly, says no JSON, or takes too long.
function ask(event, project, said) {
  return new Promise((resolve, reject) => {
    const words = [...client.slice(1), `opencode:${event}`, socket, project]
    const out = []
    const giveUp = () => reject(new Error(failed))
    let child
    try {
      child = spawn(client[0], words, { stdio: ["pipe", "pipe", "pipe"], windowsHide: true })
    } catch {
      return giveUp() // most faults are told by "error", but not all
    }
    const timer = setTimeout(() => (child.kill("SIGKILL"), giveUp()), seconds[event] * 1000)
    const done = (then) => (clearTimeout(timer), then())
    child.stdout.on("data", (chunk) => out.push(chunk))
    child.stderr.resume()
    child.stdin.on("error", () => {}) // it has ended already, which "close" tells
    child.on("error", () => done(giveUp))
    child.on("close", (code) =>
      done(() => {
        try {
          const answer = JSON.parse(Buffer.concat(out).toString("utf8"))
          if (code !== 0 || Object.prototype.toString.call(answer) !== "[object Object]") throw new Error()
          resolve(answer)
        } catch {
          giveUp()
        }
      }),
    )
    child.stdin.end(JSON.stringify(said))
  })
}

// Every text in what OpenCode keeps beside a result: it would show a person what was taken out.
function blank(value) {
  if (typeof value === "string") return "[replaced by Interlock]"
  if (Array.isArray(value)) return value.map(blank)
  if (value === null || typeof value !== "object") return value
  return Object.fromEntries(Object.entries(value).map(([key, inside]) => [key, blank(inside)]))
}

// A result of an MCP server is a list of blocks; every other is a text with its attachments.
function replaceResult(output, text) {
  if (!Array.isArray(output.content)) output.output = text
  else output.content = Array.isArray(text) ? text : [{ type: "text", text }]
  delete output.structuredContent
  if (output.attachments) output.attachments = []
  if (output.metadata) output.metadata = blank(output.metadata)
}

function addToResult(output, text) {
  if (Array.isArray(output.content)) output.content = [...output.content, { type: "text", text }]
  else output.output = `${output.output}\n\n${text}`
}

// In place: OpenCode runs the object that it handed over, whatever is put in its stead.
function changeArgs(args, other) {
  for (const key of Object.keys(args)) delete args[key]
  Object.assign(args, other)
  if (JSON.stringify(args) !== JSON.stringify(other)) throw new Error(failed)
}

export const Interlock = async ({ client: opencode, directory }) => {
  const parents = new Map() // session → the session that started it
  const agents = new Map() // session → the agent that acts in it: `build`, `plan`, or the type of a subagent
  const calls = new Map() // call → how many had its name, and what the model is told with its result

  async function parentOf(session) {
    if (!parents.has(session)) {
      const found = await opencode.session.get({ path: { id: session } }).catch(() => undefined)
      if (!found?.data) return undefined
      parents.set(session, found.data.parentID)
    }
    return parents.get(session)
  }

  // A subagent has a session of its own; policies know it by the session that a person started.
  async function whose(session) {
    let root = session
    for (let above = await parentOf(root); above; above = await parentOf(root)) root = above
    const agent = agents.get(session)
    return root === session ? { session_id: root, agent } : { session_id: root, agent_id: session, agent }
  }

  // The name of a tool of an MCP server begins with that of its server.
  async function serversFor(tool) {
    if (!tool.includes("_")) return []
    const found = await opencode.mcp.status()
    if (!found.data) throw new Error(failed)
    return Object.keys(found.data)
  }

  // The model names its calls, and some models use a name again: for another call, or in another session.
  function known(input, more = 0) {
    const name = `${input.sessionID}/${input.callID}`
    const call = calls.get(name) ?? { count: 0 }
    call.count += more
    calls.set(name, call)
    return { call, call_id: `${name}/${started}.${call.count}` }
  }

  async function about(hook, input, call_id, more) {
    const said = { hook_event_name: hook, ...(await whose(input.sessionID)), cwd: directory, call_id }
    return { ...said, tool: input.tool, servers: await serversFor(input.tool), ...more }
  }

  function show(answer) {
    if (!answer.notice) return
    const body = { title: "Interlock", message: answer.notice, variant: "warning" }
    opencode.tui.showToast({ body }).catch(() => {})
  }

  return {
    "tool.execute.before": async (input, output) => {
      const { call, call_id } = known(input, 1)
      const said = await about("tool.execute.before", input, call_id, { args: output.args })
      const answer = await ask("PreToolUse", directory, said)
      show(answer)
      if (answer.deny !== undefined) throw new Error(answer.deny)
      if (answer.args !== undefined) changeArgs(output.args, answer.args)
      call.note = answer.context
    },
    "tool.execute.after": async (input, output) => {
      const { call, call_id } = known(input)
      const { content, structuredContent } = output
      const result = Array.isArray(content) ? { content, structuredContent } : output.output
      const answer = await about("tool.execute.after", input, call_id, { args: input.args, result })
        .then((said) => ask("PostToolUse", directory, said))
        .catch(() => ({ output: `[withheld by Interlock: ${failed}]`, notice: failed }))
      if (answer.output !== undefined) replaceResult(output, answer.output)
      show(answer)
      for (const text of [call.note, answer.context]) if (text) addToResult(output, text)
    },
    "chat.message": async (input, output) => {
      agents.set(input.sessionID, output.message.agent)
      const who = await whose(input.sessionID)
      if (who.agent_id) return // what a subagent is told is judged as the call that starts it
      const text = output.parts.filter((part) => part.type === "text" && !part.synthetic).map((part) => part.text)
      const said = { hook_event_name: "chat.message", ...who, cwd: directory, prompt: text.join("\n") }
      const answer = await ask("UserPromptSubmit", directory, said).catch(() => ({ notice: failed }))
      show({ notice: answer.deny ?? answer.notice }) // OpenCode itself says only that something went wrong
      if (answer.deny !== undefined) throw new Error(answer.deny)
      if (!answer.context) return
      const id = `prt_interlock_${output.message.id}`
      const part = { id, sessionID: input.sessionID, messageID: output.message.id, type: "text", synthetic: true }
      output.parts.push({ ...part, text: answer.context })
    },
  }
}
