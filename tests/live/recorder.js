// An OpenCode plugin that passes what it is given to recorder.py and does what its answer says: throw, change the
// arguments in place or by assignment, change the output. FOLDER and PYTHON are put in when it is installed.
import { spawnSync } from "node:child_process"

const command = COMMAND

function record(label, input, output) {
  const stdin = JSON.stringify({ hook: label, input, output })
  const done = spawnSync(command[0], [...command.slice(1), label], { input: stdin, encoding: "utf8" })
  return done.stdout ? JSON.parse(done.stdout) : {}
}

function obey(answer, output) {
  if (answer.assign) output.args = answer.assign
  if (answer.change) Object.assign(output.args, answer.change)
  if (answer.output !== undefined) output.output = answer.output
  if (answer.throw !== undefined) throw new Error(answer.throw)
}

export const Recorder = async () => ({
  "tool.execute.before": async (input, output) => obey(record("tool.execute.before", input, output), output),
  "tool.execute.after": async (input, output) => obey(record("tool.execute.after", input, output), output),
  "chat.message": async (input, output) => void record("chat.message", input, output),
  "permission.ask": async (input, output) => void record("permission.ask", input, output),
})
