import type { Access } from "./define.ts";

/** Where a virtual key may be, in the order of reading; the first hit wins (inference-resolved.md, section 2). */
export const virtualKeyHeaders = ["x-tg-key", "authorization", "x-api-key", "x-goog-api-key", "api-key"] as const;

/** The header of the portal's access token. */
const tokenHeader = "auth-token";

type Scheme = Readonly<Record<string, string>>;

/** The security schemes of an OpenAPI document, by the header that carries the credential. */
const schemes: Readonly<Record<string, Scheme>> = {
  ...Object.fromEntries(virtualKeyHeaders.map((name) => [name, headerScheme(name)])),
  authorization: { type: "http", scheme: "bearer" },
  [tokenHeader]: headerScheme(tokenHeader),
};

/** What an operation asks of its caller: alternatives, each a scheme. */
export type Requirement = Readonly<Record<string, readonly never[]>>;

/** The alternatives that an access leaves to the caller; none when it is open. */
export function requirementsOf(access: Access): Requirement[] {
  if (access === "open") return [];
  if (access === "virtual_key") return virtualKeyHeaders.map((name) => ({ [name]: [] }));
  return [{ [tokenHeader]: [] }];
}

/** The schemes that the requirements name. */
export function schemesOf(requirements: Iterable<Requirement>): Record<string, Scheme> {
  const named = new Set([...requirements].flatMap((requirement) => Object.keys(requirement)));
  return Object.fromEntries(Object.entries(schemes).filter(([name]) => named.has(name)));
}

function headerScheme(name: string): Scheme {
  return { type: "apiKey", in: "header", name };
}
