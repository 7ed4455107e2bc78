import fc from "fast-check";
import { expect, it } from "vitest";
import { memoryStore } from "../../../../adapters/stores/memory/index.ts";
import { isGatewayError } from "../../../../src/engine/errors.ts";
import { type ScriptedEngine, scriptedEngine } from "../../../../src/testing/index.ts";

const anyText = fc
  .array(fc.constantFrom("to ", "be ", "or ", "not "), { minLength: 1, maxLength: 12 })
  .map((words) => words.join(""));

/** Reads a stream and stops at a chunk: by the signal, or by leaving the loop. */
async function readUntil(engine: ScriptedEngine, last: number, way: "signal" | "break"): Promise<number> {
  const controller = new AbortController();
  const request = { model: "a/m", messages: [{ role: "user" as const, content: "hi" }] };
  let read = 0;
  try {
    for await (const _chunk of await engine.streamChat(request, { signal: controller.signal })) {
      read++;
      if (read <= last) continue;
      if (way === "break") break;
      controller.abort();
    }
  } catch (thrown) {
    if (!isGatewayError(thrown) || thrown.code !== "request_cancelled") throw thrown;
  }
  return read;
}

const world = (text: string) => scriptedEngine({ "a/m": [{ kind: "answer", text }] }, { store: memoryStore() });

it.each(["signal", "break"] as const)(
  "a caller who stops at any chunk (%s) makes exactly one row, billed for what was consumed",
  (way) =>
    fc.assert(
      fc.asyncProperty(anyText, async (text) => {
        const costs: number[] = [];
        const words = text.match(/\S+\s*/g)?.length ?? 0;
        for (let last = 0; last < words; last++) {
          const engine = world(text);
          await readUntil(engine, last, way);
          const { entries } = await engine.usage.entries({ limit: 10 });
          expect(entries).toMatchObject([
            { status: 499, reason: "request_cancelled", attempts: [{ is_estimated: true }] },
          ]);
          expect(entries[0]?.attempts[0]?.prompt_tokens).toBeGreaterThan(0);
          costs.push(entries[0]?.attempts[0]?.cost ?? 0);
          expect([engine.inFlight, engine.clock.pending]).toEqual([0, 0]);
        }
        expect(costs).toEqual([...costs].sort((a, b) => a - b));
        expect(costs[0]).toBeGreaterThan(0);
      }),
      { numRuns: 40 },
    ),
);

it("a stream read to its end is billed by the provider's own count", async () => {
  const engine = world("to be or not");
  await readUntil(engine, Number.POSITIVE_INFINITY, "break");
  const { entries } = await engine.usage.entries({ limit: 10 });
  expect(entries).toMatchObject([{ status: 200, attempts: [{ is_estimated: false, completion_tokens: 4 }] }]);
});
