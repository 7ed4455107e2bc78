import { describe, it } from "vitest";
import { gemini } from "../../adapters/providers/gemini/index.ts";
import { providerCases } from "../../src/testing/conformance/provider/cases.ts";
import { readExchanges } from "../fixtures/exchanges.ts";

describe("gemini", () => {
  for (const { title, run } of providerCases(readExchanges("gemini"))) it(title, () => run(gemini));
});
