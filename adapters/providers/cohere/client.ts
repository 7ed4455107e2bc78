import type { KeyOptions } from "../../shared/credentials.ts";
import { type HttpClient, httpClient } from "../../shared/http/client.ts";
import { requireKey } from "../../shared/http/target.ts";
import type { WireOptions } from "../../shared/http/wire-options.ts";

/** Options of `cohere()`; only `apiKey`, or `credentials` in its place, is required. */
export interface CohereOptions extends KeyOptions, WireOptions {
  /** Root of the API; `https://api.cohere.com` unless given. A `/v1` or `/v2` at its end is the same root. */
  readonly baseUrl?: string | undefined;
  /** Sent as `X-Client-Name`, by which the vendor tells its customer's projects apart. */
  readonly clientName?: string | undefined;
}

/** The HTTP client of one provider; throws `invalid_configuration` for a key or an address that cannot be used. */
export function openClient(options: CohereOptions, provider: string): HttpClient {
  const { apiKey, baseUrl = "https://api.cohere.com", clientName, headers, fetch, transport } = options;
  return httpClient({
    provider,
    baseUrl: baseUrl.replace(/\/v[12]\/*(?=$|\?)/, ""),
    headers: {
      authorization: `Bearer ${requireKey(apiKey, provider)}`,
      ...(clientName === undefined ? {} : { "x-client-name": clientName }),
      ...headers,
    },
    fetch,
    transport,
  });
}
