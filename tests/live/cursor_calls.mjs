// Makes calls through the hooks of Cursor's SDK, with tools that do nothing but say what reached them.
//
// The SDK runs hooks for an agent that needs Cursor's servers, and does not export what runs them. So its own loader of
// modules is exported besides, and the hooks are run as the SDK does it. Given a file with JSON, it prints JSON.
import { readFileSync } from "node:fs";
import { registerHooks } from "node:module";

const [, , sdk, file] = process.argv;

registerHooks({
  load(url, context, next) {
    const found = next(url, context);
    if (!url.endsWith("/@cursor/sdk/dist/esm/index.js")) return found;
    const source = Buffer.from(found.source).toString();
    const loader = /\[([\w$]+)\.e\(360\),/.exec(source)[1];
    return { ...found, source: `${source}\nexport const loaderForTests = ${loader};` };
  },
});

const load = (await import(sdk)).loaderForTests;
await Promise.all([load.e(360), load.e(34)]);
const { vk: hooksOf, Pq: withHooks } = load("../cursor-sdk-local-runtime/dist/core/hooks-runtime.js");
const tools = load("../agent-exec/dist/index.js");
const { q6: newContext } = load("../context/dist/core.js");
const { Value } = load("@bufbuild/protobuf");

const success = (value) => ({ result: { case: "success", value } });
const KINDS = {
  shell: [tools.qkk, (call) => success({ stdout: call.prints ?? "", stderr: "" })],
  keys: [tools.TQC, () => success({})],
  mcp: [
    tools.Yib,
    (call) => success({ content: [{ content: { case: "text", value: { text: call.prints } } }], isError: false }),
  ],
  read: [tools._As, (call) => success({ output: { case: "content", value: call.prints ?? "" } })],
  write: [tools.Lnu, (call) => success({ path: call.args.path })],
  delete: [tools.RpG, () => success({})],
};

const plan = JSON.parse(readFileSync(file, "utf8"));
const hooks = await hooksOf({ useCommandHookStdinTransport: plan.stdin }).createHooksRuntime({
  workspaceState: { projectRoot: plan.root, workspaceRoots: [plan.root], workingDirectory: plan.root },
});

const withValues = (args, change) => Object.fromEntries(Object.entries(args).map(([name, one]) => [name, change(one)]));

async function make(call, number) {
  const [tool, answer] = KINDS[call.kind];
  let ran = null;
  const inner = {
    async execute(context, args) {
      ran = { ...args };
      return answer(call);
    },
  };
  const session = withHooks().wrapResources({
    resources: { get: () => inner, entries: () => [][Symbol.iterator]() },
    workspaceServices: { hooksRuntime: hooks },
    sessionState: { sessionId: "s1" },
    metadata: { conversationId: "c1", generationId: "g1", model: "m1" },
  });
  const args = { toolCallId: `call-${number}`, ...call.args };
  if (call.kind === "mcp") args.args = withValues(args.args, Value.fromJson);
  const told = [];
  const { result } = await session.get(tool).execute(newContext(), args, { hookContextCollector: told });
  const prompt = ran?.hookApprovalRequirement;
  for (const field of ["toolCallId", "hookApprovalRequirement"]) delete ran?.[field];
  if (ran && call.kind === "mcp") ran.args = withValues(ran.args, (one) => one.toJson());
  return {
    ran,
    prompt: prompt === undefined ? null : prompt.reason,
    outcome: result.case,
    result: result.value.content?.map((one) => one.content.value.text) ?? result.value,
    told: told.map((one) => one.content),
  };
}

const calls = [];
for (const call of plan.calls) calls.push(await make(call, calls.length));
const events = [];
const { hookExecutor } = hooks.createSessionRuntime();
for (const [name, fields] of plan.events) {
  const about = { conversation_id: "c1", generation_id: "g1", model: "m1" };
  events.push((await hookExecutor.executeHookForStep(name, { ...about, ...fields })) ?? null);
}
process.stdout.write(JSON.stringify({ calls, events, problems: hooks.hooksConfig.errors.map((one) => one.message) }));
