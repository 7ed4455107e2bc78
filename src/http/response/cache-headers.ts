import type { CallOptions } from "../../engine.ts";
import { GatewayError } from "../../errors.ts";
import { type HttpHeaders, readHeader } from "../message.ts";
import type { Origins } from "../request/field-names.ts";

/** The headers about the cache, by the field of the call's options that each fills. */
const headerOf = { mode: "x-tg-cache", ttl: "x-tg-cache-ttl", threshold: "x-tg-cache-threshold" } as const;

/** What errors call those fields: the caller's own names. */
export const cacheOrigins: Origins = new Map(
  Object.entries(headerOf).map(([field, header]) => [`cache.${field}`, header]),
);

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
