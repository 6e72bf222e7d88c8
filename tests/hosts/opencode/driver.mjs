// Runs steps through the plugin as OpenCode would, and prints what became of each.
// argv: the plugin, then the steps as JSON: [hook, input, output] each. `frozen` in an output freezes its arguments.
const { Interlock } = await import(process.argv[2])
const sessions = { ses_child: { parentID: "ses_root" }, ses_root: {} }
const toasts = []
const client = {
  session: { get: async ({ path }) => ({ data: sessions[path.id] }) },
  mcp: { status: async () => ({ data: { "pay.ments": {}, github: {} } }) },
  tui: { showToast: async ({ body }) => void toasts.push(body.message) },
}
const hooks = await Interlock({ client, directory: "/w/project" })
const ran = []
for (const [hook, input, output] of JSON.parse(process.argv[3])) {
  const args = output.args
  if (output.frozen) Object.freeze(args)
  const error = await hooks[hook](input, output).then(() => null, (thrown) => thrown.message)
  ran.push({ error, output, same: args === output.args })
}
console.log(JSON.stringify({ ran, toasts }))
