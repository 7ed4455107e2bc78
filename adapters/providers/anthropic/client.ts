import { readAnthropicFault } from "../../shared/anthropic/faults.ts";
import { anthropicPlaces } from "../../shared/anthropic/parameters.ts";
import type { RulesOptions } from "../../shared/chat/rules-option.ts";
import { type TaughtChats, taughtChats } from "../../shared/chat/taught-chats.ts";
import type { KeyOptions } from "../../shared/credentials.ts";
import { type HttpClient, httpClient } from "../../shared/http/client.ts";
import { requireKey } from "../../shared/http/target.ts";
import type { WireOptions } from "../../shared/http/wire-options.ts";

/** Options of `anthropic()`; only `apiKey`, or `credentials` in its place, is required. */
export interface AnthropicOptions extends KeyOptions, WireOptions, RulesOptions {
  /** Root of the API; `https://api.anthropic.com` unless given. A `/v1` at its end is the same root. */
  readonly baseUrl?: string | undefined;
  /** The `anthropic-version`; `2023-06-01` unless given. From `2026-10-21` on, temperature, top_p and top_k are not sent. */
  readonly version?: string | undefined;
  /** Beta features to switch on, for the `anthropic-beta` header. */
  readonly beta?: readonly string[] | undefined;
  /**
   * Beta features that callers may switch on by `anthropic-beta`: names, or beginnings that end in `*`; `["*"]` is all, `[]` none. Unless
   * given: those about thinking, tools, caching and formats; none that changes prices, reaches stored files or runs code.
   */
  readonly callerBetas?: readonly string[] | undefined;
  /**
   * `max_tokens` where a request gives no bound, since the vendor requires one. Unless given: 32,000, or the model's own maximum where
   * that is less (8,192 for models that are not Claude).
   */
  readonly maxTokens?: number | undefined;
}

interface AnthropicIdentity {
  readonly provider: string;
  readonly version: string;
}

/** The HTTP client of one provider; throws `invalid_configuration` for a key or an address that cannot be used. */
export function openClient(
  { apiKey, baseUrl, beta, headers, callerHeaders, fetch, transport }: AnthropicOptions,
  { provider, version }: AnthropicIdentity,
): HttpClient {
  return httpClient({
    provider,
    baseUrl: (baseUrl ?? "https://api.anthropic.com").replace(/\/v1\/*(?=$|\?)/, ""),
    headers: {
      "x-api-key": requireKey(apiKey, provider),
      "anthropic-version": version,
      ...(beta === undefined || beta.length === 0 ? {} : { "anthropic-beta": beta.join(",") }),
      ...headers,
    },
    callerHeaders,
    fetch,
    transport,
    readFault: readAnthropicFault,
    acceptsObjects: true,
  });
}

/** Sends the chats of one provider by the rules for their model. */
export function chatSender(
  { modelRules }: Pick<AnthropicOptions, "modelRules">,
  of: { readonly client: HttpClient; readonly provider: string },
): TaughtChats {
  return taughtChats({ ...of, modelRules, places: anthropicPlaces });
}
