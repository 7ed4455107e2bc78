import { describe, it } from "vitest";
import { watsonx } from "../../../../adapters/providers/watsonx/index.ts";
import { undiciTransport } from "../../../../adapters/shared/http/dispatch/undici.ts";
import { fetchTransport } from "../../../../adapters/shared/http/fetch.ts";
import type { Transport } from "../../../../src/engine/ports/transport.ts";
import { providerCases } from "../../../../src/testing/conformance/provider/cases.ts";
import type { ProviderMaker } from "../../../../src/testing/conformance/provider/fixture.ts";
import { readExchanges } from "../../../fixtures/exchanges.ts";
import { cuts } from "../../../tiers/depth.ts";

/** The vendor of the case, next to an identity service that gives the key itself for a token: neither may be seen anywhere. */
const make: ProviderMaker = ({ fetch, ...place }) => {
  const vendor = fetch ? fetchTransport(fetch) : undiciTransport();
  const body = JSON.stringify({ access_token: place.apiKey, expires_in: 3600, token_type: "Bearer" });
  const transport: Transport = {
    ...vendor,
    whole: (request) =>
      request.url.startsWith("https://iam.")
        ? Promise.resolve({ status: 200, headers: {}, body })
        : vendor.whole(request),
  };
  return { ...watsonx({ ...place, projectId: "p-1", transport }), close: () => vendor.close() };
};

describe("watsonx", () => {
  for (const { title, run } of providerCases(readExchanges("watsonx"), cuts)) it(title, () => run(make));
});
