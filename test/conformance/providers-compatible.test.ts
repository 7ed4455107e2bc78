import { describe, it } from "vitest";
import {
  type CompatibleName,
  compatible,
  compatibleProviders,
  custom,
} from "../../adapters/providers/compatible/index.ts";
import { providerCases } from "../../src/testing/conformance/provider/cases.ts";
import { readExchanges } from "../fixtures/exchanges.ts";

describe.each(Object.keys(compatibleProviders) as CompatibleName[])("%s", (name) => {
  for (const { title, run } of providerCases(readExchanges(name))) {
    it(title, () => run((place) => compatible(name, place)));
  }
});

describe("custom", () => {
  for (const { title, run } of providerCases(readExchanges("custom"))) {
    it(title, () => run((place) => custom("custom", place)));
  }
});
