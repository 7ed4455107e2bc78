import type { GatewayError } from "../../../src/engine/errors.ts";
import type { RulesOptions } from "../../shared/chat/rules-option.ts";
import { type TaughtChats, taughtChats } from "../../shared/chat/taught-chats.ts";
import type { KeyOptions } from "../../shared/credentials.ts";
import { readGeminiFault } from "../../shared/gemini/faults.ts";
import { geminiPlaces } from "../../shared/gemini/parameters.ts";
import { type HttpCall, type HttpClient, httpClient } from "../../shared/http/client.ts";
import { requireKey } from "../../shared/http/target.ts";
import type { WireOptions } from "../../shared/http/wire-options.ts";

/** Options of `gemini()`; only `apiKey`, or `credentials` in its place, is required. */
export interface GeminiOptions extends KeyOptions, WireOptions, RulesOptions {
  /** Root of the API; `https://generativelanguage.googleapis.com` unless given. `/v1beta` is added where no version is named. */
  readonly baseUrl?: string | undefined;
}

/** A client, and what else there is to know of the vendor's end. */
export interface GeminiClient {
  readonly client: HttpClient;
  /** Base URL of uploaded files, ending in a slash. */
  readonly filesUrl: string;
  /** The error that an event of a stream is. */
  fault(body: unknown, call: HttpCall): GatewayError;
}

/** The HTTP client of one provider; the key goes in a header, never in an address. */
export function openClient(options: GeminiOptions, provider: string): GeminiClient {
  const { apiKey, headers, callerHeaders, fetch, transport } = options;
  const baseUrl = versioned(options.baseUrl ?? "https://generativelanguage.googleapis.com");
  const client = httpClient({
    provider,
    baseUrl,
    headers: { "x-goog-api-key": requireKey(apiKey, provider), ...headers },
    callerHeaders,
    fetch,
    transport,
    readFault: readGeminiFault,
    acceptsObjects: true,
  });
  const fault = (body: unknown, call: HttpCall) => client.faultError(readGeminiFault(body) ?? {}, call);
  return { client, filesUrl: baseUrl.replace(/\/*(\?.*)?$/, "/"), fault };
}

/** The address with its version; what is no address is left for the client to refuse. */
function versioned(baseUrl: string): string {
  const url = URL.parse(baseUrl);
  if (url === null || /\/v\d\w*\/*$/.test(url.pathname)) return baseUrl;
  url.pathname = `${url.pathname.replace(/\/+$/, "")}/v1beta`;
  return url.href;
}

/** Sends the chats of one provider by the rules for their model. */
export function chatSender(
  { modelRules }: Pick<GeminiOptions, "modelRules">,
  of: { readonly client: HttpClient; readonly provider: string },
): TaughtChats {
  return taughtChats({ ...of, modelRules, places: geminiPlaces });
}
