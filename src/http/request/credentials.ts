import { virtualKeyHeaders } from "../../operations/key-headers.ts";
import type { ServiceScheme } from "../../operations/security.ts";
import { type HttpHeaders, readHeader } from "../message.ts";

/** A service credential as it was sent: who the operators of the gateway say they are; guards `/api`, never inference. */
export interface ServiceCredential {
  readonly scheme: ServiceScheme;
  /** The token, or `user:password`; in bytes, since what was sent need not be UTF-8. */
  readonly secret: Uint8Array;
}

/**
 * The virtual key of a request (inference-resolved.md, section 2): the first of `x-tg-key`, bearer, `x-api-key`, `x-goog-api-key`,
 * `api-key`; all but `x-tg-key` count only when the value begins with `keyPrefix`, in any case.
 */
export function readVirtualKey(headers: HttpHeaders, keyPrefix: string): string | undefined {
  const prefix = keyPrefix.toLowerCase();
  for (const name of virtualKeyHeaders) {
    const header = readHeader(headers, name);
    const value = name === "authorization" ? behindScheme(header, "bearer ") : header;
    if (value !== undefined && (name === "x-tg-key" || isVirtualKey(value, prefix))) return value;
  }
  return undefined;
}

/** The caller's own tokens for tool servers, from the header that each server's settings name. */
export function readToolTokens(
  headers: HttpHeaders,
  named: readonly (readonly [server: string, header: string])[],
): { readonly toolTokens?: Readonly<Record<string, string>> } {
  if (named.length === 0) return {};
  const found = named.map(([server, header]) => [server, readHeader(headers, header)] as const);
  return { toolTokens: Object.fromEntries(found.filter((entry): entry is [string, string] => entry[1] !== undefined)) };
}

/** The virtual key in the query, where Google's clients may put theirs: `?key=`. */
export function readQueryKey(query: string, keyPrefix: string): string | undefined {
  if (!query.includes("key=")) return undefined;
  const value = new URLSearchParams(query).get("key");
  return value !== null && isVirtualKey(value, keyPrefix.toLowerCase()) ? value : undefined;
}

/**
 * The service credential of a request without a virtual key (inference-resolved.md, section 2): Basic, or a bearer. Undefined where
 * `authorization` holds neither; Basic that is no base64 is none.
 */
export function readServiceCredential(headers: HttpHeaders): ServiceCredential | undefined {
  const authorization = readHeader(headers, "authorization");
  const token = behindScheme(authorization, "bearer ");
  if (token !== undefined) return { scheme: "bearer", secret: Buffer.from(token) };
  const encoded = behindScheme(authorization, "basic ");
  if (encoded === undefined || !/^[A-Za-z0-9+/]+={0,2}$/.test(encoded)) return undefined; // Buffer would skip what is no base64
  return { scheme: "basic", secret: Buffer.from(encoded, "base64") };
}

function isVirtualKey(value: string, prefix: string): boolean {
  return value.slice(0, prefix.length).toLowerCase() === prefix;
}

/** What follows `scheme` (lower case, with its space); the case of a scheme does not matter (RFC 9110, 11.1). */
function behindScheme(authorization: string | undefined, scheme: string): string | undefined {
  if (authorization?.slice(0, scheme.length).toLowerCase() !== scheme) return undefined;
  return authorization.slice(scheme.length).trim() || undefined;
}
