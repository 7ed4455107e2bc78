import { describe, it } from "vitest";
import { openai } from "../../../../adapters/providers/openai.ts";
import { providerCases } from "../../../../src/testing/conformance/provider/cases.ts";
import { readExchanges } from "../../../fixtures/exchanges.ts";
import { cuts } from "../../../tiers/depth.ts";

describe("openai", () => {
  for (const { title, run } of providerCases(readExchanges("openai"), cuts)) {
    it(title, () => run(({ baseUrl, ...rest }) => openai({ ...rest, baseUrl: `${baseUrl}/v1` })));
  }
});
