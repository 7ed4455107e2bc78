import { expect, it } from "vitest";
import { memoryCounters } from "../../../../../adapters/counters/memory.ts";
import { GatewayError } from "../../../../../src/engine/errors.ts";
import type { Counters } from "../../../../../src/engine/ports/counters.ts";
import type { Provider } from "../../../../../src/engine/ports/provider.ts";
import { keptBooks, settled } from "../../../support/books.ts";
import { messages, record, textOf } from "../../../support/support.ts";

/** Says a word and fails. */
const failing = (name: string, error: Error): Provider => ({
  name,
  async *streamChat(_request, { id, model }) {
    const chunk = { id, object: "chat.completion.chunk", created: 1, model };
    yield { ...chunk, choices: [{ index: 0, finish_reason: null, delta: { content: "hi" } }] };
    throw error;
  },
});
const broken = new GatewayError("upstream_stream_broken", "broke off");
const inner = memoryCounters();
let turns = 0;
/** The reservation for who is to go on with the stream fails. */
const failingSecond: Counters = {
  ...inner,
  async reserve(call) {
    if (++turns === 2) throw new Error("counters are down");
    return inner.reserve(call);
  },
};

it.each([
  {
    what: "that a provider has",
    error: new TypeError("a bug"),
    counters: memoryCounters(),
    told: "upstream_error",
    defect: "a bug",
  },
  {
    what: "that counters have",
    error: broken,
    counters: failingSecond,
    told: broken.code,
    defect: "counters are down",
  },
])("a defect $what after the first content of a stream is told, once", async ({ error, counters, told, defect }) => {
  const { engine, options, attempts } = await keptBooks([failing("a", error), failing("b", error)], { counters });
  const defects = record(engine, "defect");
  const stream = await engine.streamChat({ model: "a/m", fallbacks: ["b/m"], messages }, options);
  await expect(textOf(stream)).rejects.toMatchObject({ code: told });
  expect(defects).toMatchObject([{ event_id: "evt_0", error: { message: defect } }]);
  expect((await attempts())[0]).toMatchObject({ provider: "a", reason: told });
});

/** Fails before it has said anything. */
const failingAtOnce = (name: string, error: Error): Provider => ({
  name,
  streamChat: () => ({ [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(error) }) }),
});

it("a defect of who was to go on with a stream is told, although the caller sees what broke it", async () => {
  const providers = [failing("a", broken), failingAtOnce("b", new TypeError("a bug"))];
  const { engine, options, attempts } = await keptBooks(providers);
  const defects = record(engine, "defect");
  const stream = await engine.streamChat({ model: "a/m", fallbacks: ["b/m"], messages }, options);
  await expect(textOf(stream)).rejects.toMatchObject({ code: broken.code });
  expect(defects).toMatchObject([{ event_id: "evt_0", error: { message: "a bug" } }]);
  expect(await attempts()).toMatchObject([{ reason: broken.code }, { provider: "b", reason: "upstream_error" }]);
});

it.each(["answers", "fails"] as const)("a defect in a race is told, once, where the other one %s", async (end) => {
  let open = () => {};
  const gate = new Promise<void>((resolve) => {
    open = resolve;
  });
  const buggy: Provider = {
    name: "a",
    async chat() {
      await gate;
      throw new TypeError("a bug");
    },
  };
  const other: Provider = {
    name: "b",
    async chat(_request, { id, model }) {
      open();
      await settled();
      if (end === "fails") throw broken;
      return { id, object: "chat.completion", created: 1, model, choices: [] };
    },
  };
  const { engine, clock, options } = await keptBooks([buggy, other], { retry: { retries: 0 }, hedge: { after_ms: 5 } });
  const defects = record(engine, "defect");
  const asked = engine.chat({ model: "a/m", fallbacks: ["b/m"], messages }, options);
  const told = asked.catch(({ code }: GatewayError) => code);
  await settled();
  await clock.advance(5);
  if (end === "fails") expect(await told).toBe("upstream_error");
  else expect(await told).toMatchObject({ object: "chat.completion" });
  expect(defects).toMatchObject([{ error: { message: "a bug" } }]);
});
