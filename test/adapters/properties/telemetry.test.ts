import fc from "fast-check";
import { expect, it } from "vitest";
import { observeEngine } from "../../../adapters/telemetry/opentelemetry/index.ts";
import { anyChat, anyScript } from "../../../src/testing/arbitraries.ts";
import { scriptedEngine } from "../../../src/testing/index.ts";
import { collectTelemetry } from "../support/collected.ts";

const cast = { providers: ["a", "b"] };
const anyCalls = fc.array(fc.tuple(anyChat(cast), fc.constantFrom("whole", "streamed", "left")), { maxLength: 6 });

it("each request is counted once and is one span, each time a provider is asked one try below it", async () => {
  await fc.assert(
    fc.asyncProperty(anyScript(cast), anyCalls, async (script, calls) => {
      const engine = scriptedEngine(script);
      const telemetry = collectTelemetry();
      observeEngine(engine, telemetry.providers);
      for (const [request, way] of calls) await call(engine, request, way).catch(() => {});
      const counted = await telemetry.points("gen_ai.client.operation.duration");
      expect(sumOf(counted)).toBe(calls.length);
      expect(sumOf(await telemetry.points("tollgate.attempt.duration"))).toBe(engine.calls.length);
      const roots = telemetry.spans().filter(({ parentSpanContext }) => parentSpanContext === undefined);
      const tries = telemetry.spans().filter(({ parentSpanContext }) => parentSpanContext !== undefined);
      expect(roots).toHaveLength(calls.length);
      expect(tries.map(({ name }) => name)).toEqual(engine.calls.map((target) => `attempt ${target}`));
      const ids = new Set(roots.map((root) => root.spanContext().spanId));
      expect(tries.every(({ parentSpanContext }) => ids.has(parentSpanContext?.spanId ?? ""))).toBe(true);
    }),
    { numRuns: 200 },
  );
});

it("no try of a request is told after its end, hedged or not, whoever leaves", async () => {
  await fc.assert(
    fc.asyncProperty(anyScript(cast), anyCalls, fc.boolean(), async (script, calls, isHedged) => {
      const engine = scriptedEngine(script, isHedged ? { hedge: { after_ms: 10 } } : {});
      const over = new Set<string>();
      const late: string[] = [];
      engine.on("attempted", ({ event_id, target }) => void (over.has(event_id) && late.push(target)));
      engine.on("settled", ({ event_id }) => void over.add(event_id));
      await Promise.all(calls.map(([request, way]) => call(engine, request, way).catch(() => {})));
      await new Promise(setImmediate);
      expect(late).toEqual([]);
      expect(over.size).toBe(calls.length);
    }),
    { numRuns: 300 },
  );
});

type Call = typeof anyCalls extends fc.Arbitrary<(infer Each)[]> ? Each : never;

async function call(engine: ReturnType<typeof scriptedEngine>, request: Call[0], way: Call[1]): Promise<void> {
  if (way === "whole") return void (await engine.chat(request));
  for await (const _chunk of await engine.streamChat(request)) if (way === "left") return;
}

function sumOf(points: readonly { readonly value: unknown }[]): number {
  return points.reduce((sum, { value }) => sum + (value as { count: number }).count, 0);
}
