import { context, ROOT_CONTEXT, SpanStatusCode, trace } from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import { afterAll, beforeAll, expect, it } from "vitest";
import { memoryCache } from "../../../../adapters/caches/memory.ts";
import { continueTraces, observeEngine } from "../../../../adapters/telemetry/opentelemetry/index.ts";
import { type Script, type ScriptedOptions, scriptedEngine } from "../../../../src/testing/index.ts";
import { collectTelemetry } from "../../support/collected.ts";

const usage = { prompt_tokens: 7, completion_tokens: 3, total_tokens: 10 };
const answer = { kind: "answer", text: "to be or", usage } as const;
const messages = [{ role: "user" as const, content: "a secret prompt" }];

beforeAll(() => void context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable()));
afterAll(() => context.disable());

function observed(script: Script, options: ScriptedOptions = {}) {
  const engine = scriptedEngine(script, options);
  const telemetry = collectTelemetry();
  observeEngine(engine, telemetry.providers);
  return { engine, ...telemetry };
}

it("a request is a span in the words of the conventions, with its tries below it", async () => {
  const { engine, spans } = observed({ "a/m": [{ kind: "fail", status: 500 }], "b/m": [answer] });
  await engine.chat({ model: "a/m", fallbacks: ["b/m"], messages });
  const root = spans().find(({ name }) => name === "chat m");
  expect(root?.attributes).toMatchObject({
    "gen_ai.operation.name": "chat",
    "gen_ai.provider.name": "b",
    "gen_ai.request.model": "m",
    "gen_ai.usage.input_tokens": 7,
    "gen_ai.usage.output_tokens": 3,
    "gen_ai.usage.cost": expect.closeTo(0.000_013, 9),
    "tollgate.model_requested": "a/m",
    "tollgate.target": "b/m",
    "tollgate.status": 200,
  });
  expect(root?.status.code).toBe(SpanStatusCode.UNSET);
  expect(root?.events).toMatchObject([
    { name: "tollgate.fallback", attributes: { "tollgate.fallback.from": "a/m", "tollgate.fallback.to": "b/m" } },
  ]);
  const tries = spans().filter(({ parentSpanContext }) => parentSpanContext?.spanId === root?.spanContext().spanId);
  expect(tries.map(({ name }) => name)).toEqual([...engine.calls.map((target) => `attempt ${target}`)]);
  expect(tries[0]).toMatchObject({
    status: { code: SpanStatusCode.ERROR },
    attributes: { "error.type": "upstream_error", "tollgate.status": 500, "tollgate.try": 1 },
  });
});

it("spans of the same request lie below the span of its caller, whole and streamed, each below its own", async () => {
  const { engine, spans, providers } = observed({ "a/m": [answer] });
  const tracer = providers.tracerProvider.getTracer("test");
  const callers = ["one", "two", "three"].map((name) => tracer.startSpan(name, {}, ROOT_CONTEXT));
  await Promise.all(
    callers.map((caller, position) =>
      context.with(trace.setSpan(ROOT_CONTEXT, caller), async () => {
        if (position === 1) for await (const _chunk of await engine.streamChat({ model: "a/m", messages }));
        else await engine.chat({ model: "a/m", messages });
      }),
    ),
  );
  const roots = spans().filter(({ name }) => name === "chat m");
  expect(new Set(roots.map(({ parentSpanContext }) => parentSpanContext?.spanId))).toEqual(
    new Set(callers.map((caller) => caller.spanContext().spanId)),
  );
});

it("a request that nobody was asked for is a span too, named after no caller's word", async () => {
  const { engine, spans } = observed({ "a/m": [answer] });
  await engine.chat({ model: "z/m", messages }).catch(() => {});
  await engine.chat({ model: "a/m", messages, temperature: 9 }).catch(() => {});
  expect(spans().map(({ name, attributes }) => [name, attributes["error.type"]])).toEqual([
    ["chat", "provider_not_found"],
    ["chat", "invalid_request"],
  ]);
  expect(spans().every(({ status }) => status.code === SpanStatusCode.ERROR)).toBe(true);
});

it("a caller who hangs up is told by the reason, and is no failure", async () => {
  const { engine, spans } = observed({ "a/m": [answer] });
  for await (const _chunk of await engine.streamChat({ model: "a/m", messages })) break;
  const root = spans().find(({ name }) => name === "chat m");
  expect(root?.attributes["error.type"]).toBe("request_cancelled");
  expect(root?.status.code).toBe(SpanStatusCode.UNSET);
});

it("a span lasts as long as its request, by the engine's clock", async () => {
  const { engine, spans } = observed({ "a/m": [{ kind: "silence" }] }, { timeouts: { firstContent: 4_000 } });
  const startedAt = engine.clock.now();
  await engine.streamChat({ model: "a/m", messages }).catch(() => {});
  const inMs = ([seconds, nanoseconds]: readonly [number, number]) => seconds * 1_000 + nanoseconds / 1e6;
  const root = spans().find(({ name }) => name === "chat");
  expect(inMs(root?.startTime ?? [0, 0])).toBeCloseTo(startedAt);
  expect(inMs(root?.endTime ?? [0, 0])).toBeCloseTo(engine.clock.now());
});

it("a kept answer says so and uses no tokens", async () => {
  const { engine, spans } = observed({ "a/m": [answer] }, { cache: { answers: memoryCache() } });
  for (let n = 0; n < 2; n++) await engine.chat({ model: "a/m", messages });
  const [first, second] = spans().filter(({ name }) => name.startsWith("chat"));
  expect(first?.events.map(({ attributes }) => attributes?.["tollgate.cache.result"])).toEqual(["miss"]);
  expect(second?.attributes).toMatchObject({ "tollgate.cache.hit_type": "direct" });
  expect(second?.attributes).not.toHaveProperty(["gen_ai.usage.input_tokens"]);
});

it("no prompt and no answer is in any span", async () => {
  const { engine, spans } = observed({ "a/m": [{ kind: "answer", text: "a secret answer" }] });
  await engine.chat({ model: "a/m", messages });
  const written = JSON.stringify(
    spans().map(({ name, attributes, events, status }) => [name, attributes, events, status]),
  );
  expect(written).toContain("chat m");
  expect(written).not.toContain("secret");
});

it("without a registered propagator a listener is asked as it is", () => {
  const asked: unknown[] = [];
  const listener = continueTraces((request: { headers: Record<string, string> }, ...rest: unknown[]) => {
    asked.push(request, ...rest);
  });
  const request = { headers: { traceparent: "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01" } };
  listener(request, "response", "next");
  expect(asked).toEqual([request, "response", "next"]);
});
