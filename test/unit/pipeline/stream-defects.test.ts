import { expect, it } from "vitest";
import { memoryCounters } from "../../../adapters/counters/memory.ts";
import { GatewayError } from "../../../src/errors.ts";
import type { Counters } from "../../../src/ports/counters.ts";
import type { Provider } from "../../../src/ports.ts";
import { keptBooks } from "./books.ts";
import { messages, record, textOf } from "./support.ts";

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
    told: "internal",
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
  expect(await attempts()).toMatchObject([{ provider: "a", reason: told }]);
});
