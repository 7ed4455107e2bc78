import { describe, expect, it } from "vitest";
import { memoryCounters } from "../../../../../adapters/counters/memory.ts";
import { GatewayError } from "../../../../../src/engine/errors.ts";
import type { Counters } from "../../../../../src/engine/ports/counters.ts";
import type { Provider } from "../../../../../src/engine/ports/provider.ts";
import { keptBooks, promptOf, settled } from "../../../support/books.ts";
import { record } from "../../../support/support.ts";

const busy = () => new GatewayError("upstream_error", "busy", { upstream: { status: 503, message: "busy" } });

/** Answers one part of the request with five tokens, and fails. */
const failing: Provider = {
  name: "a",
  async embed(asked, call) {
    call.answered?.({ request: asked, usage: promptOf(5) });
    throw busy();
  },
};
const asked: string[] = [];
const second: Provider = {
  name: "b",
  async embed() {
    asked.push("b");
    throw busy();
  },
};

/** Memory counters whose second reservation fails. */
function countersThat(fail: () => never | Promise<never>): Counters {
  const inner = memoryCounters();
  let turns = 0;
  return { ...inner, reserve: (call) => (++turns === 2 ? fail() : inner.reserve(call)) };
}

describe.each([
  {
    how: "throws",
    fail: () => {
      throw new Error("counters are down");
    },
  },
  { how: "rejects", fail: () => Promise.reject(new Error("counters are down")) },
])("a reservation between two tries that $how", ({ fail }) => {
  it("ends the call; what the first try consumed is in the books, and nothing stays reserved", async () => {
    asked.length = 0;
    const { engine, clock, options, attempts } = await keptBooks([failing, second], { counters: countersThat(fail) });
    const defects = record(engine, "defect");
    const call = engine.embed({ model: "a/m", fallbacks: ["b/m"], input: "12345678" }, options);
    const failed = call.catch((error: unknown) => error);
    await settled();
    await clock.advance(1_000);
    expect(await failed).toMatchObject({ code: "internal", status: 500 });
    expect(defects).toMatchObject([{ error: { message: "counters are down" } }]);
    expect(asked).toEqual([]);
    expect(await attempts()).toMatchObject([{ provider: "a", reason: "upstream_error", cost_nano: 5_000 }]);
    expect((await engine.usage.entries({ limit: 1 })).entries).toMatchObject([{ status: 500, reason: "internal" }]);
    expect(engine.inFlight).toBe(0);
  });
});
