import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decodeModel } from "../../../adapters/prices/catalogue/format.ts";
import { catalogue } from "../../../adapters/prices/catalogue/index.ts";
import { addUp, compareWithMap } from "../../../scripts/catalogue/coverage.ts";
import { encodeRates } from "../../../scripts/catalogue/encode.ts";
import { mapProviders } from "../../../scripts/catalogue/extract.ts";
import type { Rates } from "../../../src/engine/api/rates.ts";

describe("against the common price map of November 2026", () => {
  const found = compareWithMap(catalogue(), Date.parse("2026-11-20T12:00:00Z"));
  const all = [...found]
    .filter(([provider]) => mapProviders.has(provider))
    .map(([, each]) => each)
    .reduce(addUp);

  it("the catalogue knows the models that vendors sell", () => {
    expect(all.models).toBeGreaterThan(1_400);
    expect(all.known / all.models).toBeGreaterThan(0.97);
  });

  it("the catalogue has their prices", () => expect(all.equal / all.known).toBeGreaterThan(0.93));
  it("the catalogue has all their rates", () => expect(all.complete / all.known).toBeGreaterThan(0.9));

  it("every difference has a reason", () =>
    expect(
      [...found.values()].flatMap(({ differences }) => differences.filter(({ reason }) => reason === "unclassed")),
    ).toEqual([]));
});

describe("the snapshot's rates", () => {
  const names = ["input_cost_per_token", "output_cost_per_token", "cache_read_input_token_cost", "ocr_cost_per_page"];
  const variants = ["", "_above_200k_tokens", "_batches", "_above_200k_tokens_batches", "_priority", "_ultrafast"];
  const dollars = fc.integer({ min: 0, max: 50_000_000 }).map((picos) => Number(`${picos}e-12`));
  const anyRates = fc.dictionary(
    fc.constantFrom(...names.flatMap((name) => variants.map((variant) => name + variant))),
    fc.oneof(dollars, fc.constantFrom(1e-6, 5e-7, 2e-6)),
    { minKeys: 1 },
  );

  it("are read as they were written, multiples included", () =>
    fc.assert(
      fc.property(anyRates, (rates) => {
        const { periods } = decodeModel(`model|$${encodeRates(rates as Rates)}`);
        expect(periods[0]?.rates).toEqual(rates);
      }),
    ));

  it("say once what holds for several rates", () => {
    const rates = {
      input_cost_per_token: 2e-6,
      output_cost_per_token: 1e-5,
      input_cost_per_token_batches: 1e-6,
      output_cost_per_token_batches: 5e-6,
    };
    expect(encodeRates(rates)).toBe("i2 o10 io*.5b");
  });
});
