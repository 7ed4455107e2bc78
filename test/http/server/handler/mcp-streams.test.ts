import { afterEach, expect, it } from "vitest";
import { memoryStore } from "../../../../adapters/stores/memory/index.ts";
import { createEngine, createFetch, type Engine } from "../../../../src/index.ts";
import { scriptedWorld } from "../../../../src/testing/index.ts";
import { callingModel, fakeToolServer } from "../../../fixtures/mcp/calling-model.ts";

const opened: Engine[] = [];
afterEach(async () => {
  for (const engine of opened.splice(0)) await engine.close({ graceMs: 0 });
});

it("a key reads 16 streams of changes at once, whatever others read; one more is refused until one is left", async () => {
  const mcp = { servers: { calc: fakeToolServer({ add: () => 5 }).server } };
  const engine = createEngine({
    ...scriptedWorld(),
    providers: [callingModel([]).provider],
    store: memoryStore(),
    mcp,
  });
  opened.push(engine);
  const fetch = createFetch(engine);
  const values = await Promise.all(["one", "other"].map(async (name) => (await engine.keys.create({ name })).value));
  const read = (value: string | undefined) =>
    fetch(
      new Request("http://gateway/mcp", { headers: { authorization: `Bearer ${value}`, accept: "text/event-stream" } }),
    );
  const streams = await Promise.all(Array.from({ length: 16 }, () => read(values[0])));
  expect(streams.map(({ status }) => status)).toEqual(Array(16).fill(200));
  const refused = await read(values[0]);
  expect([refused.status, await refused.json()]).toMatchObject([429, { error: { code: "concurrency_limited" } }]);
  const foreign = await read(values[1]);
  expect(foreign.status).toBe(200);
  await streams[0]?.body?.cancel();
  const again = await read(values[0]);
  expect(again.status).toBe(200);
  await Promise.all([...streams.slice(1), foreign, again].map(({ body }) => body?.cancel()));
});
