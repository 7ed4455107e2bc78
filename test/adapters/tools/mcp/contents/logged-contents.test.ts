import { describe, expect, it, onTestFinished } from "vitest";
import { pii } from "../../../../../adapters/guards/pii/index.ts";
import { memoryStore } from "../../../../../adapters/stores/memory/index.ts";
import { longestToolContent } from "../../../../../src/engine/ports/ledger.ts";
import { createEngine, type Middleware } from "../../../../../src/index.ts";
import { scriptedWorld } from "../../../../../src/testing/index.ts";
import { fakeToolServer } from "../../../../fixtures/mcp/calling-model.ts";

/** A server that gives back what it is sent, and the content that the ledger has of one call. */
async function open(log_content: boolean | undefined, middleware: readonly Middleware[] = []) {
  const calc = fakeToolServer({
    say: ({ text }) => `You said ${text}.`,
    leak: () => "Write to boss@example.com.",
    fail: () => Promise.reject(new TypeError("a defect of the server")),
  });
  const store = memoryStore();
  const engine = createEngine({
    ...scriptedWorld(),
    providers: [{ name: "a" }],
    store,
    middleware,
    mcp: { servers: { calc: calc.server } },
  });
  onTestFinished(() => engine.close({ graceMs: 0 }));
  const entry = { server: "calc", allowed_tools: ["*"], ...(log_content === undefined ? {} : { log_content }) };
  const { value: key } = await engine.keys.create({ name: "k", mcp_configs: [entry] } as never);
  return {
    key,
    engine,
    async logged(tool: string, provided: Record<string, unknown> = {}, own: string | undefined = key) {
      await engine.mcp
        .call({ name: `calc__${tool}`, arguments: provided }, own === "" ? {} : { key: own })
        .catch(() => {});
      const { entries } = await engine.usage.entries({ limit: 1 });
      return entries[0]?.tool_content;
    },
  };
}

const textOf = (content: { readonly result?: string | undefined } | undefined) =>
  (JSON.parse(content?.result ?? "null") as { content: { text: string }[] } | null)?.content[0]?.text;

describe("contents of tool calls", () => {
  it.each([undefined, false])("are in no ledger where the key says %s", async (own) => {
    const { logged } = await open(own);
    expect(await logged("say", { text: "hello" })).toBeUndefined();
  });

  it("are not logged for the trusted caller, who opted in to nothing", async () => {
    const { logged } = await open(true);
    expect(await logged("say", { text: "hello" }, "")).toBeUndefined();
  });

  it("are in the ledger of a key that wants them: what was sent, and what came back", async () => {
    const { logged } = await open(true);
    const content = await logged("say", { text: "hello" });
    expect(content).toMatchObject({ arguments: '{"text":"hello"}', is_truncated: false });
    expect(textOf(content)).toBe("You said hello.");
  });

  it("have no result where the call failed", async () => {
    const { logged } = await open(true);
    expect(await logged("fail", { a: 1 })).toEqual({ arguments: '{"a":1}', is_truncated: false });
  });

  it("are cut where they are long, and say so; a virtual key in them is hidden", async () => {
    const { logged, key } = await open(true);
    const long = await logged("say", { text: "x".repeat(longestToolContent * 3) });
    expect([long?.arguments.length, long?.result?.length]).toEqual([longestToolContent, longestToolContent]);
    expect(long?.is_truncated).toBe(true);
    const content = await logged("say", { text: `my key is ${key}` });
    expect(JSON.stringify(content)).toContain("my key is");
    expect(JSON.stringify(content)).not.toContain(key);
  });

  it("have what guards took out of the arguments neither there nor in the result, where it was put back for the caller", async () => {
    const { engine, key, logged } = await open(true, [pii()]);
    const content = await logged("say", { text: "me@example.com" });
    expect(content?.arguments).toContain("EMAIL");
    expect(JSON.stringify(content)).not.toContain("me@example.com");
    const answer = await engine.mcp.call({ name: "calc__say", arguments: { text: "me@example.com" } }, { key });
    expect(JSON.stringify(answer.content)).toContain("me@example.com");
    expect(JSON.stringify(await logged("leak"))).not.toContain("boss@");
  });

  it("have no result that a guard refused", async () => {
    const strict: Middleware = {
      name: "strict",
      verbs: ["tool"],
      answer: (_answer, context) => context.block("secret") as never,
    };
    const { logged } = await open(true, [strict]);
    expect(await logged("say", { text: "hello" })).toEqual({ arguments: '{"text":"hello"}', is_truncated: false });
  });
});
