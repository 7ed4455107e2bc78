import { describe, it } from "vitest";
import { vertex } from "../../../../adapters/providers/vertex/index.ts";
import { providerCases } from "../../../../src/testing/conformance/provider/cases.ts";
import { vertexExchanges } from "../../../fixtures/vertex.ts";
import { cuts } from "../../../tiers/depth.ts";

const place = { project: "my-project", location: "europe-west4" };

describe("vertex", () => {
  for (const { title, run } of providerCases(vertexExchanges(), cuts)) {
    it(title, () => run(({ apiKey, ...rest }) => vertex({ ...rest, ...place, accessToken: async () => apiKey })));
  }
});
