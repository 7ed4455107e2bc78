import { describe, it } from "vitest";
import { cohere } from "../../../../adapters/providers/cohere/index.ts";
import { providerCases } from "../../../../src/testing/conformance/provider/cases.ts";
import { readExchanges } from "../../../fixtures/exchanges.ts";
import { cuts } from "../../../tiers/depth.ts";

describe("cohere", () => {
  for (const { title, run } of providerCases(readExchanges("cohere"), cuts)) it(title, () => run(cohere));
});
