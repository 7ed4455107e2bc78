import { describe, expect, expectTypeOf, it } from "vitest";
import { memoryCache } from "../../../../../adapters/caches/memory.ts";
import type {
  ReceivedChatRequest as ChatRequest,
  ChatResponse,
  ReceivedEmbeddingRequest as EmbeddingRequest,
} from "../../../../../src/index.ts";
import { defineMiddleware, type Middleware, type MiddlewareContext } from "../../../../../src/index.ts";
import { settled as turn } from "../../../support/support.ts";
import { asked, contentOf, read, world } from "../../../support/world.ts";

const yesOrNo = {
  model: "j/m",
  state: { text: "x" },
  questions: { bad: { kind: "noul" as const, instructions: "?" } },
};

describe("middleware", () => {
  it("sees requests in the order of the list and answers in reverse, the call's own last", async () => {
    const seen: string[] = [];
    const one = (name: string): Middleware<"chat"> => ({
      name,
      request: (request) => {
        seen.push(`${name}?`);
        return { ...request, messages: [...request.messages, { role: "user", content: name }] };
      },
      answer: (answer) => {
        seen.push(`${name}!`);
        return { ...answer, model: `${answer.model}${name}` };
      },
    });
    const { engine, state, events } = world([one("1"), one("2")]);
    const { model } = await engine.chat(asked(), { middleware: [one("3")] });
    expect(seen).toEqual(["1?", "2?", "3?", "3!", "2!", "1!"]);
    expect(model).toBe("m321");
    expect(state.sent).toMatchObject([{ messages: [{}, { content: "1" }, { content: "2" }, { content: "3" }] }]);
    expect(events.map(({ name, phase, outcome }) => `${name} ${phase} ${outcome}`)).toContain("1 request changed");
  });
  it("runs once a request, whatever tries it takes, and is typed by its verbs", async () => {
    let calls = 0;
    const chats = defineMiddleware({
      name: "chats",
      verbs: ["chat"],
      request(request, context) {
        expectTypeOf(request).toEqualTypeOf<ChatRequest>();
        expectTypeOf(context).toEqualTypeOf<MiddlewareContext>();
        calls++;
      },
      answer: (answer) => void expectTypeOf(answer).toEqualTypeOf<ChatResponse>(),
    });
    const embeds = defineMiddleware({
      name: "embeds",
      verbs: ["embed"],
      request: (request) => void expectTypeOf(request).toEqualTypeOf<EmbeddingRequest>(),
    });
    const { engine } = world([chats, embeds], { retry: { baseMs: 1 } });
    await engine.chat({ ...asked(), model: "none/m", fallbacks: ["a/m"] });
    await engine.embed({ model: "a/e", input: "x" });
    expect(calls).toBe(1);
  });
  it("a refusal of a request costs nothing, asks nobody, and names who refused and why", async () => {
    const { engine, state, rows, settled } = world([
      { name: "no", request: (_request, context) => context.block("because", "Not this.") },
    ]);
    await expect(engine.chat({ ...asked(), metadata: { team: "x" } })).rejects.toMatchObject({
      code: "content_blocked",
      status: 400,
      message: "Not this.",
      blocked: { middleware: "no", reason: "because" },
    });
    expect(state.sent).toEqual([]);
    expect(await rows()).toMatchObject([
      { reason: "content_blocked", status: 400, attempts: [], metadata: { team: "x" } },
    ]);
    expect(settled).toMatchObject([{ reason: "content_blocked", status: 400 }]);
    expect(settled[0]).not.toHaveProperty("cost");
  });
  it.each(["chat", "streamChat"] as const)("what it asks of a model is a line of the bill of %s", async (verb) => {
    const judging: Middleware = {
      name: "judge",
      request: async (_request, context) => void (await context.decide(yesOrNo)),
      answer: async (_answer, context) => void (await context.chat({ ...asked(), model: "j/m" })),
    };
    const { engine, rows, settled } = world([judging]);
    const answer = await engine[verb](asked());
    if (Symbol.asyncIterator in answer) expect(contentOf((await read(answer)).chunks)).toBe("Hello there.");
    const [row] = await rows();
    expect(row?.attempts.map(({ model }) => model)).toEqual(["j/m", "a/m", "j/m"]);
    expect(row?.attempts.every(({ cost }) => cost > 0)).toBe(true);
    const sum = row?.attempts.reduce((total, { cost }) => total + cost, 0) ?? 0;
    expect(settled).toMatchObject([{ reason: "ok", target: "a/m", cost: sum / 1e9 }]);
  });
  it("a refused answer is billed, and its row says that it was refused", async () => {
    const { engine, rows } = world([{ name: "no", answer: (_answer, context) => context.block("bad") }]);
    await expect(engine.chat(asked())).rejects.toMatchObject({ code: "content_blocked" });
    await expect(engine.streamChat(asked())).rejects.toMatchObject({ code: "content_blocked" });
    expect(await rows()).toMatchObject([
      { reason: "content_blocked", attempts: [{ model: "a/m", status: 200 }] },
      { reason: "content_blocked", attempts: [{ model: "a/m", status: 200 }] },
    ]);
    expect(engine.inFlight).toBe(0);
  });
  it("what fails closes, or opens with a warning where it says so", async () => {
    const failing = (onError?: "open"): Middleware => ({
      name: "f",
      request: () => Promise.reject(new Error("secret")),
      answer: () => {
        throw new Error("secret");
      },
      onError,
    });
    const closed = world([failing()]);
    const error = await closed.engine.chat(asked()).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: "content_blocked", blocked: { middleware: "f", reason: "failed" } });
    expect(String(error)).not.toContain("secret");
    const open = world([failing("open")]);
    const { extra_fields } = await open.engine.chat(asked());
    expect(extra_fields?.warnings).toEqual(["middleware: `f` failed and was passed over"]);
    const { chunks } = await read(await open.engine.streamChat(asked()));
    expect(chunks[0]?.extra_fields?.warnings).toEqual(["middleware: `f` failed and was passed over"]);
    expect(open.events.map(({ outcome, is_open }) => [outcome, is_open])).toContainEqual(["failed", true]);
  });
  it("what outlasts its deadline closes or opens, and a question that it asked ends then, on the bill", async () => {
    for (const onError of ["closed", "open"] as const) {
      let aborted = false;
      const slow: Middleware = {
        name: "slow",
        timeout: "2s",
        onError,
        async request(_request, context) {
          context.signal.addEventListener("abort", () => {
            aborted = true;
          });
          await context.decide(yesOrNo);
        },
      };
      const { engine, state, clock, rows } = world([slow]);
      state.judge = () => new Promise(() => {});
      const answer = engine.chat(asked()).catch((thrown: unknown) => thrown);
      await turn();
      await clock.advance(2_000);
      expect(await answer).toMatchObject(
        onError === "open"
          ? { extra_fields: { warnings: ["middleware: `slow` was late and was passed over"] } }
          : { code: "content_blocked", blocked: { reason: "timeout" } },
      );
      expect(aborted).toBe(true);
      const [row] = await rows();
      expect(row?.attempts.map(({ model, reason }) => [model, reason])).toEqual([
        ["j/m", "upstream_timeout"],
        ...(onError === "open" ? [["a/m", "ok"]] : []),
      ]);
    }
  });
  it("cached answers pass as live ones do, and are kept as they were before it", async () => {
    let count = 0;
    const counting: Middleware<"chat"> = {
      name: "c",
      answer: (answer) => ({ ...answer, model: `${answer.model}${++count}` }),
    };
    const { engine, state, rows } = world([counting], { cache: { answers: memoryCache() } });
    expect((await engine.chat(asked())).model).toBe("m1");
    expect((await engine.chat(asked())).model).toBe("m2");
    const { chunks } = await read(await engine.streamChat(asked()));
    expect(chunks[0]?.model).toBe("m3");
    expect(state.sent).toHaveLength(1);
    expect((await rows()).map(({ cache }) => cache)).toEqual(["direct", "direct", undefined]);
    expect(engine.inFlight).toBe(0);
  });
  it("what it asks about a cached answer is on the bill", async () => {
    const judging: Middleware = {
      name: "judge",
      answer: async (_answer, context) => void (await context.decide(yesOrNo)),
    };
    const { engine, rows } = world([judging], { cache: { answers: memoryCache() } });
    await engine.chat(asked());
    await engine.chat(asked());
    const [second] = await rows();
    expect(second).toMatchObject({ cache: "direct", attempts: [{ model: "j/m" }] });
  });
  it("callers who share one answer have it guarded each by their own", async () => {
    const { engine, state } = world([], { cache: { answers: memoryCache() } });
    const no: Middleware = { name: "no", answer: (_answer, context) => context.block("bad") };
    const both = [engine.chat(asked(), { middleware: [no] }), engine.chat(asked())] as const;
    await expect(both[0]).rejects.toMatchObject({ code: "content_blocked" });
    expect((await both[1]).choices[0]?.message.content).toBe("Hello there.");
    expect(state.sent).toHaveLength(1);
    expect(engine.inFlight).toBe(0);
  });
  it("sees key, project and metadata, and no credential", async () => {
    const seen: { context?: MiddlewareContext } = {};
    const { engine } = world([{ name: "s", request: (_request, context) => void Object.assign(seen, { context }) }]);
    const project = await engine.projects.create({ name: "p" });
    const entry = { provider: "a", allowed_models: ["*"] };
    const { key, value } = await engine.keys.create({ name: "k", project_id: project.id, provider_configs: [entry] });
    await engine.chat({ ...asked(), metadata: { a: 1 } }, { key: value });
    expect(seen.context).toMatchObject({ keyId: key.id, projectId: project.id, metadata: { a: 1 }, verb: "chat" });
    expect(JSON.stringify(seen.context)).not.toContain(value);
    expect(() => seen.context?.note({ late: true })).toThrow("is over");
    await expect(seen.context?.chat(asked())).rejects.toMatchObject({ code: "invalid_request" });
  });
  it("applies to the requests that it names", async () => {
    const no: Middleware = {
      name: "no",
      applies: ({ metadata }) => metadata.guarded === true,
      request: (_request, context) => context.block("bad"),
    };
    const { engine } = world([no]);
    await engine.chat(asked());
    await expect(engine.chat({ ...asked(), metadata: { guarded: true } })).rejects.toMatchObject({
      code: "content_blocked",
    });
  });
  it("a request that it broke is its failure, not the caller's", async () => {
    const { engine } = world([{ name: "b", request: () => ({ model: "a/m", messages: 1 }) as never }]);
    await expect(engine.chat(asked())).rejects.toMatchObject({ blocked: { middleware: "b", reason: "failed" } });
  });
  it("malformed lists are refused with the field at fault", async () => {
    expect(() => world([{ name: "x" }])).toThrow("needs `request`");
    const twice: Middleware = { name: "x", request: () => {} };
    expect(() => world([twice, twice])).toThrow("has a `name` twice");
    expect(() => world([{ ...twice, timeout: "soon" as never }])).toThrow(
      "`middleware.0.timeout`: must be a number of milliseconds",
    );
    const { engine } = world([]);
    await expect(engine.chat(asked(), { middleware: [{ name: "" }] })).rejects.toMatchObject({
      code: "invalid_request",
      param: expect.stringContaining("middleware.0"),
    });
  });
});
