import fc from "fast-check";
import { expect, it } from "vitest";
import { memoryStore } from "../../../../adapters/stores/memory/index.ts";
import type { Order } from "../../../../src/engine/routing/order.ts";
import { anyChat, anyScript } from "../../../../src/testing/arbitraries.ts";
import { type ScriptedEngine, scriptedEngine } from "../../../../src/testing/index.ts";

const cast = { providers: ["a", "b", "c"] };

/** Without `weight`, of which each plan is a draw. */
const anyOrder = fc.constantFrom<Order>("given", "price", "latency");
const anyModels = fc.subarray(["small", "large"], { minLength: 1 });
const anyEntries = fc.uniqueArray(
  fc.record({ provider: fc.constantFrom(...cast.providers), allowed_models: anyModels }),
  { selector: ({ provider }) => provider, minLength: 1 },
);

/** What the engine tells that it will do, at each call. */
function recordPlans(engine: ScriptedEngine) {
  const told: (readonly string[])[] = [];
  engine.on("planned", ({ targets }) => told.push(targets));
  return told;
}

it("the plan that is told for a key is the one that its call follows, whatever has failed before", async () => {
  await fc.assert(
    fc.asyncProperty(anyChat(cast), anyScript(cast), fc.tuple(anyOrder, anyEntries), async (...drawn) => {
      const [request, script, [order, entries]] = drawn;
      const engine = scriptedEngine(script, { order, store: memoryStore() });
      const { value: key } = await engine.keys.create({ name: "k", provider_configs: entries });
      const told = recordPlans(engine);
      for (const model of [request.model, "small", request.model]) {
        const { targets } = await engine.planFor(key, { ...request, model });
        const planned = targets.map(({ name }) => name);
        const before = engine.calls.length;
        await engine.chat({ ...request, model }, { key }).catch(() => {});
        const places = engine.calls.slice(before).map((name) => planned.indexOf(name));
        expect(told.pop()).toEqual(planned);
        expect(places).not.toContain(-1);
        expect(places).toEqual(places.toSorted((one, other) => one - other));
      }
    }),
  );
});
