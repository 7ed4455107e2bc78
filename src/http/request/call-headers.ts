import type { CallOptions } from "../../engine/engine.ts";
import { GatewayError } from "../../engine/errors.ts";
import { type HttpHeaders, readHeader } from "../message.ts";
import type { Origins } from "./field-names.ts";

/** The headers about the cache, by the field of the call's options that each fills. */
const headerOf = { mode: "x-tg-cache", ttl: "x-tg-cache-ttl", threshold: "x-tg-cache-threshold" } as const;

/** What errors call those fields: the caller's own names. */
export const cacheOrigins: Origins = new Map(
  Object.entries(headerOf).map(([field, header]) => [`cache.${field}`, header]),
);

/**
 * Headers by which clients ask a vendor for more, with the value, if any, that asks for what it does anyway. None that says who pays, who
 * asks, or how a connection is used may ever stand here: what stands here can reach a vendor.
 */
const capabilityHeaders: readonly (readonly [name: string, usual?: string])[] = [
  ["openai-beta"],
  ["anthropic-version", "2023-06-01"],
  ["x-amzn-bedrock-service-tier", "default"],
  ["x-amzn-bedrock-performanceconfig-latency", "standard"],
  ["x-vertex-ai-llm-request-type"],
  ["x-vertex-ai-llm-shared-request-type"],
  ["groq-model-version"],
];

/** Their names. */
export const capabilityNames: readonly string[] = capabilityHeaders.map(([name]) => name);

/** The capability headers of a request, by their names in lower case; `undefined` without any that asks for something. */
export function readCapabilities(headers: HttpHeaders): CallOptions["capabilities"] {
  let found: Record<string, string> | undefined;
  for (const [name, usual] of capabilityHeaders) {
    const sent = headers[name];
    if (sent === undefined) continue;
    const value = (typeof sent === "string" ? sent : sent.join(",")).trim();
    if (value !== "" && value !== usual) found = { ...found, [name]: value };
  }
  return found;
}

/** Whether the raw exchange is asked for; throws `invalid_request` for a header that says neither yes nor no. */
export function readRawOption(headers: HttpHeaders): boolean {
  const requested = readHeader(headers, "x-tg-raw")?.trim().toLowerCase();
  if (requested === undefined) return false;
  if (requested === "true" || requested === "false") return requested === "true";
  throw new GatewayError("invalid_request", "`x-tg-raw`: must be true or false.", { param: "x-tg-raw" });
}

/** The cache options of the headers; `undefined` without any. Throws `invalid_request`, which names the header. */
export function readCachePreference(headers: HttpHeaders): CallOptions["cache"] {
  const mode = readHeader(headers, headerOf.mode)?.trim().toLowerCase();
  const seconds = readNumber(headers, headerOf.ttl);
  const threshold = readNumber(headers, headerOf.threshold);
  if (mode === undefined && seconds === undefined && threshold === undefined) return undefined;
  return {
    mode: mode as NonNullable<CallOptions["cache"]>["mode"], // the engine says what it takes
    ttl: seconds === undefined ? undefined : seconds * 1_000,
    threshold,
  };
}

function readNumber(headers: HttpHeaders, name: string): number | undefined {
  const text = readHeader(headers, name)?.trim();
  if (text === undefined) return undefined;
  const value = /^\d+(?:\.\d+)?$/.test(text) ? Number(text) : Number.NaN;
  if (Number.isFinite(value)) return value;
  const unit = name === headerOf.ttl ? "a number of seconds" : "a number from 0 to 1";
  throw new GatewayError("invalid_request", `\`${name}\`: must be ${unit}.`, { param: name });
}
