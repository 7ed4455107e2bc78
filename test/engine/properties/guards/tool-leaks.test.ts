import { randomBytes } from "node:crypto";
import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { pii } from "../../../../adapters/guards/pii/index.ts";
import { words } from "../../../../adapters/guards/words.ts";
import { memoryStore } from "../../../../adapters/stores/memory/index.ts";
import type { ToolCallQuestion } from "../../../../src/engine/ports/middleware/middleware.ts";
import type { ToolAnswer, ToolRequest, ToolServerCall } from "../../../../src/engine/ports/tools/tool-server.ts";
import { jsonTexts } from "../../../../src/engine/runtime/json/json-texts.ts";
import { createEngine, createFetch, type Engine, GatewayError, type Middleware } from "../../../../src/index.ts";
import { scriptedWorld } from "../../../../src/testing/index.ts";
import { callingModel, fakeToolServer } from "../../../fixtures/mcp/calling-model.ts";

interface GuardCase {
  readonly guard: () => Middleware;
  /** What no text that has passed may hold. */
  readonly forbidden: RegExp;
}

const word = /(?<![\p{L}\p{N}_])bad(?![\p{L}\p{N}_])/iu;
const personal = /eve@x\.example|4111 ?1111 ?1111 ?1111/;
const own = (act: (text: string) => string): Middleware => ({
  name: "own",
  request: (request, { verb }) =>
    verb === "tool"
      ? { ...request, arguments: JSON.parse(act(JSON.stringify((request as ToolCallQuestion).arguments))) }
      : undefined,
  stream: { hold: "whole", text: act },
});

/** Guards by name, with what neither the server nor the caller may be able to read. */
const guards: Readonly<Record<string, GuardCase>> = {
  "words, masked": { guard: () => words({ words: ["bad"], action: "mask" }), forbidden: word },
  "words, blocked": { guard: () => words({ words: ["bad"] }), forbidden: word },
  pii: { guard: () => pii(), forbidden: personal },
  "pii, blocked": { guard: () => pii({ requests: "block", answers: "block" }), forbidden: personal },
  "one's own": { guard: () => own((text) => text.replaceAll(/bad/gi, "ok")), forbidden: /bad/i },
};

const piece = fc.constantFrom(
  "bad",
  "BAD",
  "ba",
  "d",
  " ",
  ". ",
  "\n",
  "ok",
  " eve@x.example ",
  " 4111 1111 1111 1111 ",
  '"',
);
const prose = fc.array(piece, { maxLength: 6 }).map((parts) => parts.join(""));
const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    prose,
    fc.constantFrom(4111111111111111, 1, true, null),
    fc.array(tie("value"), { maxLength: 3 }),
    fc.dictionary(prose, tie("value"), { maxKeys: 3 }),
  ),
}));
const object = fc.dictionary(prose, value, { maxKeys: 3 });
const block = fc.oneof(
  prose.map((text) => ({ type: "text", text })),
  fc.record({ type: fc.constantFrom("image", "audio"), data: prose, mimeType: prose }),
  fc.record({ type: fc.constant("resource"), resource: fc.record({ uri: prose, text: prose, blob: prose }) }),
  fc.record({ type: fc.constantFrom("resource_link", "bad", "other"), uri: prose, name: prose, _meta: object }),
);
const answers = fc.oneof(
  fc.record({ content: fc.array(block, { maxLength: 4 }), structuredContent: object }),
  prose.map((message) => new GatewayError("upstream_error", message, { upstream: { status: 500, message } })),
);

const opened: Engine[] = [];
afterAll(async () => {
  for (const engine of opened) await engine.close({ graceMs: 0 });
});

/** An engine with the guard and one server, what the server was asked, and what it answers. */
async function open(guard: Middleware) {
  const asked: unknown[] = [];
  const next: { answer: ToolAnswer | Error; message: string; model: unknown } = {
    answer: { content: [] },
    message: "",
    model: {},
  };
  const calc = fakeToolServer(
    { add: () => 5 },
    {
      async callTool({ arguments: provided }: ToolRequest, { onProgress }: ToolServerCall) {
        asked.push(provided);
        onProgress?.({ progress: 1, message: next.message });
        if (next.answer instanceof Error) throw next.answer;
        return next.answer;
      },
    },
  );
  const { provider, asked: turns } = callingModel((turn) =>
    turn % 2 === 0 ? { calls: [["calc__add", next.model as object]] } : { text: "done" },
  );
  const engine = createEngine({
    ...scriptedWorld(),
    entropy: randomBytes,
    providers: [provider],
    store: memoryStore(),
    mcp: { servers: { calc: calc.server } },
    middleware: [guard],
  });
  opened.push(engine);
  const { value: key } = await engine.keys.create({
    name: "k",
    provider_configs: [{ provider: "*", allowed_models: ["*"] }],
    mcp_configs: [{ server: "calc", allowed_tools: ["*"] }],
  } as never);
  return { engine, key, asked, next, turns };
}

/** All that a program can read in a value: strings, names and numbers. */
function textsIn(read: unknown): string[] {
  return (jsonTexts(JSON.stringify(read) ?? "null") ?? []).map(({ text }) => text);
}

/** What a caller gets, progress and failures among it. */
async function callInProcess({ engine, key }: Awaited<ReturnType<typeof open>>, provided: Record<string, unknown>) {
  const read: unknown[] = [];
  const call = engine.mcp.call(
    { name: "calc__add", arguments: provided },
    { key, onProgress: (one) => read.push(one) },
  );
  read.push(await call.catch((thrown: GatewayError) => ({ message: thrown.message, upstream: thrown.upstream })));
  return read;
}

/** The same through `/mcp`. */
async function callOverHttp({ engine, key }: Awaited<ReturnType<typeof open>>, provided: Record<string, unknown>) {
  const params = { name: "calc__add", arguments: provided, _meta: { progressToken: 1 } };
  const headers = { "content-type": "application/json", accept: "application/json, text/event-stream" };
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params });
  const request = { method: "POST", headers: { ...headers, authorization: `Bearer ${key}` }, body };
  const response = await createFetch(engine)(new Request("http://gateway/mcp", request));
  const text = await response.text();
  const events = text.match(/^data: .*$/gm)?.map((line) => line.slice(6)) ?? [text];
  return events.map((event) => JSON.parse(event) as unknown);
}

describe.each(Object.entries(guards))("the guard %s", (_name, { guard, forbidden }) => {
  it.each([
    ["in process", callInProcess],
    ["at /mcp", callOverHttp],
  ])("lets nothing that it refuses or masks through, to a tool server or from it, %s", async (_way, call) => {
    const world = await open(guard());
    const check = async (provided: Record<string, unknown>, answer: ToolAnswer | Error, message: string) => {
      world.asked.length = 0;
      Object.assign(world.next, { answer, message });
      const read = await call(world, provided);
      for (const text of textsIn(world.asked)) expect(text).not.toMatch(forbidden);
      // What the caller sent itself comes back to it: placeholders stand for its own values.
      const sent = textsIn(provided).join("\n");
      for (const text of textsIn(read)) if (!forbidden.test(sent)) expect(text).not.toMatch(forbidden);
    };
    await fc.assert(fc.asyncProperty(object, answers, prose, check), { numRuns: 100 });
  });

  it("stands in a run of tools as well", async () => {
    const world = await open(guard());
    const check = async (provided: Record<string, unknown>, answer: ToolAnswer | Error) => {
      world.asked.length = 0;
      world.turns.length = 0;
      Object.assign(world.next, { answer, model: provided });
      const question = [{ role: "user" as const, content: "Go on." }];
      await world.engine
        .runTools({ model: "m/caller", messages: question, mcp: ["calc__*"] }, { key: world.key, maxTurns: 2 })
        .catch(() => {});
      for (const text of textsIn(world.asked)) expect(text).not.toMatch(forbidden);
      for (const text of textsIn(world.turns.flatMap(({ messages }) => messages.filter(({ role }) => role === "tool"))))
        expect(text).not.toMatch(forbidden);
    };
    await fc.assert(fc.asyncProperty(object, answers, check), { numRuns: 60 });
  });
});

it("personal data leaves as placeholders, and comes back as it was", async () => {
  const world = await open(pii());
  Object.assign(world.next, {
    answer: { content: [{ type: "text", text: "Sent to [EMAIL_1], copy to ada@y.example." }] },
  });
  const [, answer] = await callInProcess(world, { to: "eve@x.example" });
  expect(world.asked).toEqual([{ to: "[EMAIL_1]" }]);
  expect(answer).toMatchObject({ content: [{ text: "Sent to eve@x.example, copy to [EMAIL]." }] });
});

it("a refused call asks no server, costs nothing, and is in the ledger with its reason", async () => {
  const world = await open(words({ words: ["bad"] }));
  const refused = world.engine.mcp.call({ name: "calc__add", arguments: { q: "bad" } }, { key: world.key });
  await expect(refused).rejects.toMatchObject({ code: "content_blocked", blocked: { middleware: "words" } });
  expect(world.asked).toEqual([]);
  const { entries } = await world.engine.usage.entries({ limit: 5 });
  expect(entries.map(({ reason, attempts }) => [reason, attempts.length])).toEqual([["content_blocked", 0]]);
});
