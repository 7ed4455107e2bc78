import { describe, it } from "vitest";
import { bedrock } from "../../../../adapters/providers/bedrock/index.ts";
import { providerCases } from "../../../../src/testing/conformance/provider/cases.ts";
import type { ProviderMaker } from "../../../../src/testing/conformance/provider/fixture.ts";
import { bedrockExchanges } from "../../../fixtures/bedrock.ts";
import { cuts } from "../../../tiers/depth.ts";

const region = "eu-central-1";

const ways: Readonly<Record<string, ProviderMaker>> = {
  "an API key": (place) => bedrock({ ...place, region }),
  "signed requests": ({ apiKey: secretAccessKey, ...place }) =>
    bedrock({
      ...place,
      region,
      keys: async () => ({ accessKeyId: "AKIDEXAMPLE", secretAccessKey, sessionToken: "a/session==" }),
    }),
};

describe.each(Object.entries(ways))("bedrock with %s", (_way, make) => {
  for (const { title, run } of providerCases(bedrockExchanges(), cuts)) it(title, () => run(make));
});
