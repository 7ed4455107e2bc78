import fc from "fast-check";
import { expect, it } from "vitest";
import { memoryStore } from "../../../../adapters/stores/memory/index.ts";
import type { Provider } from "../../../../src/engine/ports/provider.ts";
import { createEngine } from "../../../../src/index.ts";

const names = ["a", "b", "c"] as const;
const models = ["m1", "m2", "m3", "nobody-has-it"] as const;

const anyList = fc.option(fc.subarray([...models.slice(0, 3)]), { nil: undefined });
const anyWorld = fc.record({
  /** What each provider lists; `undefined`: its list cannot be read. */
  lists: fc.record({ a: anyList, b: anyList, c: anyList }),
  allowed: fc.record({
    a: fc.constantFrom(undefined, ["*"], ["m1"], ["m2", "m3"]),
    b: fc.constantFrom(undefined, ["*"], ["m1"], ["b/m2"]),
    c: fc.constantFrom(undefined, ["*"], []),
  }),
  model: fc.constantFrom(...models),
  vendor: fc.constantFrom(undefined, ...names),
});

function providerOf(name: string, list: readonly string[] | undefined, seen: string[]): Provider {
  return {
    name,
    async chat({ model }, { id }) {
      seen.push(name);
      const message = { role: "assistant" as const, content: "yes" };
      return {
        id,
        object: "chat.completion",
        created: 1,
        model,
        choices: [{ index: 0, finish_reason: "stop", message }],
      };
    },
    async listModels() {
      if (list === undefined) throw new Error("no list today");
      return list.map((id) => ({ id, object: "model", created: 1 }) as never);
    },
  };
}

it("a model named without a provider reaches nobody who is not known to have it", () =>
  fc.assert(
    fc.asyncProperty(anyWorld, async ({ lists, allowed, model, vendor }) => {
      const seen: string[] = [];
      const engine = createEngine({
        providers: names.map((name) => providerOf(name, lists[name], seen)),
        store: memoryStore(),
        retry: { retries: 0 },
      });
      const provider_configs = names.flatMap((provider) => {
        const allowed_models = allowed[provider];
        return allowed_models ? [{ provider, allowed_models: [...allowed_models] }] : [];
      });
      const { value } = await engine.keys.create({ name: "k", provider_configs });
      const call = engine.chat({ model, messages: [{ role: "user", content: "x" }] }, { key: value, vendor });
      const outcome = await call.then(
        () => "answered",
        (thrown: { code: string }) => thrown.code,
      );
      const isAllowed = (name: (typeof names)[number]) =>
        allowed[name]?.some((pattern) => pattern === "*" || pattern === model || pattern === `${name}/${model}`) ===
        true;
      const isNamed = (name: (typeof names)[number]) =>
        allowed[name]?.some((pattern) => pattern.endsWith(model)) === true;
      const known = names.filter((name) => isAllowed(name) && (isNamed(name) || lists[name]?.includes(model)));
      const expected = vendor !== undefined && isAllowed(vendor) ? [vendor] : known;
      expect(seen.every((name) => expected.includes(name as never))).toBe(true);
      expect(outcome).toBe(expected.length > 0 ? "answered" : "invalid_model");
      await engine.close();
    }),
    { numRuns: 150 },
  ));
