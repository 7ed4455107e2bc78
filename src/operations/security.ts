import type { OperationAccess } from "./define.ts";
import { virtualKeyHeaders } from "./key-headers.ts";

/** The header of the portal's access token. */
const tokenHeader = "auth-token";

/** How the service credential is sent: by user and password, or as a token (inference-resolved.md, section 2). */
export type ServiceScheme = "basic" | "bearer";

type Scheme = Readonly<Record<string, string>>;

/** The security schemes of an OpenAPI document, by the header that carries the credential. */
const schemes: Readonly<Record<string, Scheme>> = {
  ...Object.fromEntries(virtualKeyHeaders.map((name) => [name, headerScheme(name)])),
  authorization: { type: "http", scheme: "bearer" },
  [tokenHeader]: headerScheme(tokenHeader),
  "service-basic": serviceScheme("basic", "user and password"),
  "service-bearer": serviceScheme("bearer", "a token"),
};

/** The credentials that an operation requires: alternatives, each a scheme. */
export type Requirement = Readonly<Record<string, readonly never[]>>;

/**
 * Returns the alternative credentials of an access; none for an open one. An operation with an access token is served twice: at the root
 * the token is enough, under `/api` the service credential is required too, by one of the schemes in `service`.
 */
export function requirementsOf(access: OperationAccess, service: readonly ServiceScheme[] = []): Requirement[] {
  if (access === "open") return [];
  if (access === "virtual_key") return virtualKeyHeaders.map((name) => ({ [name]: [] }));
  const token = { [tokenHeader]: [] };
  return [token, ...service.map((scheme) => ({ ...token, [`service-${scheme}`]: [] }))];
}

/** Returns the schemes that the requirements name. */
export function schemesOf(requirements: Iterable<Requirement>): Record<string, Scheme> {
  const named = new Set([...requirements].flatMap((requirement) => Object.keys(requirement)));
  return Object.fromEntries(Object.entries(schemes).filter(([name]) => named.has(name)));
}

function serviceScheme(scheme: ServiceScheme, form: string): Scheme {
  const description = `The service credential of the gateway's operators (${form}), asked for under \`/api\` beside the access token.`;
  return { type: "http", scheme, description };
}

function headerScheme(name: string): Scheme {
  return { type: "apiKey", in: "header", name };
}
