import fc from "fast-check";
import { catalogue } from "tollgate/prices/catalogue";
import { expect, it } from "vitest";
import { judgePatterns } from "../../../../src/engine/pipeline/admin/known-models.ts";

const now = Date.parse("2026-11-20T12:00:00Z");
const prices = catalogue();
const models = prices.list(now);
const providers = new Set(models.map(({ provider }) => provider));
const judge = (pattern: string) => judgePatterns([pattern], { prices, providers, now }).unknown;

it("no name of the catalogue is unknown, and no pattern that matches one", () => {
  const judged = models.flatMap(({ provider, model }) => {
    const segments = model.split("/").slice(0, -1);
    const beginnings = segments.map((_, at) => [provider, ...segments.slice(0, at + 1), "*"].join("/"));
    return [`${provider}/${model}`, `${provider.toUpperCase()}/*`, ...beginnings];
  });
  expect(judgePatterns(judged, { prices, providers, now }).unknown).toEqual([]);
});

it("a name of the catalogue with two letters swapped is unknown, and what was meant is near", () => {
  const swapped = fc
    .tuple(fc.constantFrom("openai/gpt-5", "anthropic/claude-sonnet-5", "gemini/gemini-2.5-pro"), fc.nat({ max: 100 }))
    .map(([name, at]) => {
      const first = name.indexOf("/") + 1 + (at % 2);
      const pair = `${name[first + 1]}${name[first]}`;
      return { name, typed: name.slice(0, first) + pair + name.slice(first + 2) };
    })
    .filter(({ name, typed }) => name !== typed);
  fc.assert(
    fc.property(swapped, ({ name, typed }) => {
      expect(judge(typed)).toEqual([{ pattern: typed, similar: name }]);
    }),
  );
});

it("any name of a provider without a catalogue is taken, whatever it is", () => {
  const open = new Set([...providers, "lab"]);
  const name = fc.stringMatching(/^[a-z0-9][a-z0-9.:-]{0,30}(\/[a-z0-9]{1,9})?(\/\*)?$/);
  fc.assert(
    fc.property(name, (model) => {
      expect(
        judgePatterns([`lab/${model}`, `azure/${model.replace("/*", "")}`], { prices, providers: open, now }).unknown,
      ).toEqual([]);
    }),
  );
});
