import { describe, it } from "vitest";
import { gemini } from "../../../../adapters/providers/gemini/index.ts";
import { providerCases } from "../../../../src/testing/conformance/provider/cases.ts";
import { readExchanges } from "../../../fixtures/exchanges.ts";
import { cuts } from "../../../tiers/depth.ts";

describe("gemini", () => {
  for (const { title, run } of providerCases(readExchanges("gemini"), cuts)) it(title, () => run(gemini));
});
