import type { RulesOptions } from "../../shared/chat/rules-option.ts";
import { type TaughtChats, taughtChats } from "../../shared/chat/taught-chats.ts";
import type { KeyOptions } from "../../shared/credentials.ts";
import { type HttpClient, httpClient } from "../../shared/http/client.ts";
import { requireKey } from "../../shared/http/target.ts";
import type { WireOptions } from "../../shared/http/wire-options.ts";
import { coherePlaces } from "./to-wire.ts";

/** Options of `cohere()`; only `apiKey`, or `credentials` in its place, is required. */
export interface CohereOptions extends KeyOptions, WireOptions, RulesOptions {
  /** Root of the API; `https://api.cohere.com` unless given. A `/v1` or `/v2` at its end is the same root. */
  readonly baseUrl?: string | undefined;
  /** Sent as `X-Client-Name`, by which the vendor tells its customer's projects apart. */
  readonly clientName?: string | undefined;
}

/** The HTTP client of one provider; throws `invalid_configuration` for a key or an address that cannot be used. */
export function openClient(options: CohereOptions, provider: string): HttpClient {
  const { apiKey, baseUrl = "https://api.cohere.com", clientName, headers, callerHeaders, fetch, transport } = options;
  return httpClient({
    provider,
    baseUrl: baseUrl.replace(/\/v[12]\/*(?=$|\?)/, ""),
    headers: {
      authorization: `Bearer ${requireKey(apiKey, provider)}`,
      ...(clientName === undefined ? {} : { "x-client-name": clientName }),
      ...headers,
    },
    callerHeaders,
    fetch,
    transport,
  });
}

/** Sends the chats of one provider by the rules for their model. */
export function chatSender(
  { modelRules }: Pick<CohereOptions, "modelRules">,
  of: { readonly client: HttpClient; readonly provider: string },
): TaughtChats {
  return taughtChats({ ...of, modelRules, places: coherePlaces });
}
