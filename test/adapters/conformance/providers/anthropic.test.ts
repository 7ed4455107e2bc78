import { describe, it } from "vitest";
import { anthropic } from "../../../../adapters/providers/anthropic/index.ts";
import { providerCases } from "../../../../src/testing/conformance/provider/cases.ts";
import { readExchanges } from "../../../fixtures/exchanges.ts";
import { cuts } from "../../../tiers/depth.ts";

describe("anthropic", () => {
  for (const { title, run } of providerCases(readExchanges("anthropic"), cuts)) it(title, () => run(anthropic));
});
