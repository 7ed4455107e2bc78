import { virtualKeyHeaders } from "../operations/security.ts";
import { type HttpHeaders, readHeader } from "./exchange.ts";

/** Who the operators of the gateway say they are; guards `/api`, never inference. */
type ServiceCredential =
  | { readonly scheme: "basic"; readonly user: string; readonly password: string }
  | { readonly scheme: "bearer"; readonly token: string };

/** The credentials of a request: two independent layers, each may be absent. */
export interface Credentials {
  readonly virtualKey: string | undefined;
  readonly service: ServiceCredential | undefined;
}

/**
 * Reads the credentials of a request (inference-resolved.md, section 2). The virtual key is the first of `x-tg-key`, bearer,
 * `x-api-key`, `x-goog-api-key`, `api-key`; all but `x-tg-key` count only when the value begins with `keyPrefix`, in any case.
 */
export function readCredentials(headers: HttpHeaders, keyPrefix: string): Credentials {
  const authorization = readHeader(headers, "authorization");
  return {
    virtualKey: readVirtualKey(headers, keyPrefix),
    service: readService(authorization, keyPrefix.toLowerCase()),
  };
}

/** The virtual key alone, as {@link readCredentials} reads it. */
export function readVirtualKey(headers: HttpHeaders, keyPrefix: string): string | undefined {
  const prefix = keyPrefix.toLowerCase();
  for (const name of virtualKeyHeaders) {
    const header = readHeader(headers, name);
    const value = name === "authorization" ? behindScheme(header, "bearer ") : header;
    if (value !== undefined && (name === "x-tg-key" || isVirtualKey(value, prefix))) return value;
  }
  return undefined;
}

function readService(authorization: string | undefined, prefix: string): ServiceCredential | undefined {
  const bearer = behindScheme(authorization, "bearer ");
  if (bearer !== undefined) return isVirtualKey(bearer, prefix) ? undefined : { scheme: "bearer", token: bearer };
  const encoded = behindScheme(authorization, "basic ");
  if (encoded === undefined) return undefined;
  const pair = Buffer.from(encoded, "base64").toString("utf8");
  const colon = pair.indexOf(":");
  if (colon === -1) return undefined;
  return { scheme: "basic", user: pair.slice(0, colon), password: pair.slice(colon + 1) };
}

function isVirtualKey(value: string, prefix: string): boolean {
  return value.slice(0, prefix.length).toLowerCase() === prefix;
}

/** What follows `scheme` (lower case, with its space); the case of a scheme does not matter (RFC 9110, 11.1). */
function behindScheme(authorization: string | undefined, scheme: string): string | undefined {
  if (authorization?.slice(0, scheme.length).toLowerCase() !== scheme) return undefined;
  return authorization.slice(scheme.length).trim() || undefined;
}
