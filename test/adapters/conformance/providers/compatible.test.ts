import { describe, it } from "vitest";
import {
  type CompatibleName,
  compatible,
  compatibleProviders,
  custom,
} from "../../../../adapters/providers/compatible/index.ts";
import { providerCases } from "../../../../src/testing/conformance/provider/cases.ts";
import { readExchanges } from "../../../fixtures/exchanges.ts";
import { cuts, isDeep } from "../../../tiers/depth.ts";

/** The vendors share their code with `custom`, which is cut before every byte; each of them is cut at other bytes than the next. */
const every = isDeep ? 16 : 96;
const vendors = (Object.keys(compatibleProviders) as CompatibleName[]).map((name, index) => ({
  name,
  from: index % every,
}));

describe.each(vendors)("$name", ({ name, from }) => {
  for (const { title, run } of providerCases(readExchanges(name), { every, from })) {
    it(title, () => run((place) => compatible(name, place)));
  }
});

describe("custom", () => {
  for (const { title, run } of providerCases(readExchanges("custom"), cuts)) {
    it(title, () => run((place) => custom("custom", place)));
  }
});
