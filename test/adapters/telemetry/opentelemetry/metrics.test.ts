import type { Attributes } from "@opentelemetry/api";
import { expect, it } from "vitest";
import { memoryCache } from "../../../../adapters/caches/memory.ts";
import { local } from "../../../../adapters/providers/local/index.ts";
import { memoryStore } from "../../../../adapters/stores/memory/index.ts";
import { observeEngine } from "../../../../adapters/telemetry/opentelemetry/index.ts";
import { createEngine } from "../../../../src/index.ts";
import { type Script, type ScriptedOptions, scriptedEngine } from "../../../../src/testing/index.ts";
import { collectTelemetry } from "../../support/collected.ts";

const usage = { prompt_tokens: 7, completion_tokens: 3, total_tokens: 10 };
const answer = { kind: "answer", text: "to be or", usage } as const;
const messages = [{ role: "user" as const, content: "hi" }];
const served = { "gen_ai.operation.name": "chat", "gen_ai.provider.name": "a", "gen_ai.request.model": "m" };

function observed(script: Script, options: ScriptedOptions = {}) {
  const engine = scriptedEngine(script, options);
  const telemetry = collectTelemetry();
  const stop = observeEngine(engine, telemetry.providers);
  return { engine, stop, ...telemetry };
}

it("an answer counts once: how long it took, its tokens by kind, and its cost in dollars", async () => {
  const { engine, points } = observed({ "a/m": [answer] });
  await engine.chat({ model: "a/m", messages });
  expect(await points("gen_ai.client.operation.duration")).toMatchObject([{ attributes: served, value: { count: 1 } }]);
  expect(await points("gen_ai.client.token.usage")).toEqual([
    { attributes: { ...served, "gen_ai.token.type": "input" }, value: { count: 1, sum: 7 } },
    { attributes: { ...served, "gen_ai.token.type": "output" }, value: { count: 1, sum: 3 } },
  ]);
  expect(await points("tollgate.cost")).toEqual([{ attributes: served, value: expect.closeTo(0.000_013, 9) }]);
});

it("durations are in seconds, from the engine's own clock", async () => {
  const { engine, points } = observed({ "a/m": [{ kind: "silence" }] }, { timeouts: { firstContent: 4_000 } });
  const startedAt = engine.clock.now();
  await expect(engine.streamChat({ model: "a/m", messages })).rejects.toMatchObject({ code: "upstream_timeout" });
  const [point] = await points("gen_ai.client.operation.duration");
  const waited = (engine.clock.now() - startedAt) / 1_000;
  expect(point?.value).toEqual({ count: 1, sum: expect.closeTo(waited, 3) });
  expect(waited).toBeGreaterThanOrEqual(4);
});

it("streams alone count the time to their first content", async () => {
  const { engine, points } = observed({ "a/m": [answer] });
  await engine.chat({ model: "a/m", messages });
  expect(await points("gen_ai.client.operation.time_to_first_chunk")).toEqual([]);
  for await (const _chunk of await engine.streamChat({ model: "a/m", messages }));
  expect(await points("gen_ai.client.operation.time_to_first_chunk")).toMatchObject([{ value: { count: 1 } }]);
  expect(await points("gen_ai.client.operation.duration")).toMatchObject([{ value: { count: 2 } }]);
});

it("tries count one by one, and what was given up for the next one", async () => {
  const { engine, points } = observed({ "a/m": [{ kind: "fail", status: 500 }], "b/m": [answer] });
  await engine.chat({ model: "a/m", fallbacks: ["b/m"], messages });
  const failed = {
    "gen_ai.provider.name": "a",
    "gen_ai.request.model": "m",
    "error.type": "upstream_error",
    "tollgate.status": 500,
  };
  expect(await points("tollgate.attempt.duration")).toMatchObject([
    { attributes: failed, value: { count: engine.calls.length - 1 } },
    { attributes: { "gen_ai.provider.name": "b", "gen_ai.request.model": "m" }, value: { count: 1 } },
  ]);
  const led = { "tollgate.fallback.from": "a", "tollgate.fallback.to": "b", "error.type": "upstream_error" };
  expect(await points("tollgate.fallbacks")).toEqual([{ attributes: led, value: 1 }]);
});

it("a thousand names that nobody knows make one set of attributes", async () => {
  const { engine, points } = observed({ "a/m": [answer] });
  for (let n = 0; n < 1_000; n++) await engine.chat({ model: `a/nobody-${n}`, messages }).catch(() => {});
  expect(await points("tollgate.attempt.duration")).toMatchObject([
    {
      attributes: { "gen_ai.provider.name": "a", "error.type": "upstream_error", "tollgate.status": 404 },
      value: { count: 1_000 },
    },
  ]);
  expect(await points("gen_ai.client.operation.duration")).toMatchObject([
    { attributes: { "gen_ai.operation.name": "chat", "error.type": "upstream_error" }, value: { count: 1_000 } },
  ]);
});

it("models beyond the first 200 are counted by their provider alone, those before go on by name", async () => {
  const models = Array.from({ length: 300 }, (_, n) => `m${n}`);
  const { engine, points } = observed(Object.fromEntries(models.map((model) => [`a/${model}`, [answer]])));
  for (let round = 0; round < 2; round++)
    for (const model of models) await engine.chat({ model: `a/${model}`, messages });
  for (const name of ["gen_ai.client.operation.duration", "tollgate.attempt.duration"]) {
    const found = (await points(name)) as { attributes: Attributes; value: { count: number } }[];
    const [rest] = found.filter(({ attributes }) => attributes["gen_ai.request.model"] === undefined);
    expect(found).toHaveLength(201);
    expect(rest).toMatchObject({ attributes: { "gen_ai.provider.name": "a" }, value: { count: 200 } });
    expect(found.filter((point) => point !== rest).every(({ value }) => value.count === 2)).toBe(true);
  }
});

it("a list of models is asked of a provider, not of a model", async () => {
  const engine = createEngine({ providers: [local()] });
  const telemetry = collectTelemetry();
  observeEngine(engine, telemetry.providers);
  await engine.models();
  const asked = { "gen_ai.operation.name": "list_models" };
  expect(await telemetry.points("gen_ai.client.operation.duration")).toMatchObject([{ attributes: asked }]);
  const [attempt] = await telemetry.points("tollgate.attempt.duration");
  expect(attempt?.attributes).toEqual({ "gen_ai.provider.name": "local" });
  expect(telemetry.spans().map(({ name, attributes }) => [name, attributes["gen_ai.request.model"]])).toEqual([
    ["attempt local", undefined],
    ["list_models", undefined],
  ]);
  await engine.close();
});

it("a limit that is used up counts as a refusal, by provider and reason", async () => {
  const { engine, points } = observed({ "a/m": [answer] }, { store: memoryStore() });
  const { value: key } = await engine.keys.create({
    name: "k",
    provider_configs: [{ provider: "a", allowed_models: ["*"] }],
    rate_limits: [{ request_max_limit: 1, request_reset_duration: "1h" }],
  });
  await engine.chat({ model: "a/m", messages }, { key });
  await engine.chat({ model: "a/m", messages }, { key }).catch(() => {});
  const attributes = { "gen_ai.provider.name": "a", "error.type": "request_limited" };
  expect(await points("tollgate.refusals")).toEqual([{ attributes, value: 1 }]);
});

it("a kept answer counts as a request without tokens", async () => {
  const { engine, points } = observed({ "a/m": [answer] }, { cache: { answers: memoryCache() } });
  for (let n = 0; n < 2; n++) await engine.chat({ model: "a/m", messages });
  for await (const _chunk of await engine.streamChat({ model: "a/m", messages }));
  expect(await points("gen_ai.client.operation.duration")).toMatchObject([
    { attributes: served, value: { count: 1 } },
    { attributes: { "gen_ai.operation.name": "chat" }, value: { count: 2 } },
  ]);
  expect(await points("gen_ai.client.token.usage")).toMatchObject([{ value: { count: 1 } }, { value: { count: 1 } }]);
  const results = await points("tollgate.cache.results");
  expect(
    Object.fromEntries(results.map(({ attributes, value }) => [attributes["tollgate.cache.result"], value])),
  ).toEqual({
    miss: 1,
    kept: 1,
    hit: 2,
  });
});

it("requests under way and open circuits are as they are when they are collected", async () => {
  const { engine, points } = observed({ "a/m": [{ kind: "fail", status: 500 }], "b/m": [answer] });
  const stream = (await engine.streamChat({ model: "b/m", messages }))[Symbol.asyncIterator]();
  await stream.next();
  expect(await points("tollgate.requests.active")).toMatchObject([{ value: 1 }]);
  await stream.return?.();
  expect(await points("tollgate.requests.active")).toMatchObject([{ value: 0 }]);
  for (let n = 0; n < 5; n++) await engine.chat({ model: "a/m", messages }).catch(() => {});
  const attributes = { "gen_ai.provider.name": "a", "gen_ai.request.model": "m" };
  expect(await points("tollgate.circuit.open")).toEqual([{ attributes, value: 1 }]);
});

it("nothing is counted any more once it is stopped", async () => {
  const { engine, points, spans, stop } = observed({ "a/m": [answer] });
  stop();
  await engine.chat({ model: "a/m", messages });
  expect(await points("gen_ai.client.operation.duration")).toEqual([]);
  expect(await points("tollgate.requests.active")).toEqual([]);
  expect(spans()).toEqual([]);
});

it.each([
  [undefined, {}, "engine"],
  [{}, {}, "engine"],
  [scriptedEngine({ "a/m": [answer] }), { metrics: true }, "metrics"],
  [scriptedEngine({ "a/m": [answer] }), { meterProvider: true }, "meterProvider"],
  [scriptedEngine({ "a/m": [answer] }), { tracerProvider: {} }, "tracerProvider"],
])("what it cannot work with is refused by name: %#", (engine, options, param) => {
  expect(() => observeEngine(engine as never, options as never)).toThrow(
    expect.objectContaining({ code: "invalid_configuration", param }),
  );
});
