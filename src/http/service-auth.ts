import { hash } from "node:crypto";
import { GatewayError } from "../engine/errors.ts";
import { isSameHash } from "../engine/policy/key.ts";
import type { ServiceScheme } from "../operations/security.ts";
import { checkOwnService, type ServiceOptions } from "../operations/service-credential.ts";
import { type HttpHeaders, type HttpRequest, readHeader } from "./message.ts";
import { readServiceCredential, readVirtualKey } from "./request/credentials.ts";
import { isPreflight } from "./response/cors.ts";

/** The service credential as a gateway keeps it: the SHA-256 of each form that is accepted. */
export type ServiceHashes = Readonly<Partial<Record<ServiceScheme, string>>>;

/** Checks the service credential and keeps its hashes. Throws `invalid_configuration` naming the field. */
export function openService(provided: ServiceOptions | undefined, keyPrefix: string): ServiceHashes | undefined {
  if (provided === undefined) return undefined;
  const { user, password, token } = checkOwnService(provided, keyPrefix);
  return {
    ...(user === undefined ? {} : { basic: digest(`${user}:${password}`) }),
    ...(token === undefined ? {} : { bearer: digest(token) }),
  };
}

/** A request that may not manage the gateway: why, and the schemes by which it might have. */
export interface ServiceRefused {
  readonly kind: "refused";
  readonly error: GatewayError;
  /** The value of `www-authenticate`; undefined where no service credential is asked for. */
  readonly challenge: string | undefined;
}

/** What the guard needs to know. */
interface GuardSettings {
  readonly service: ServiceHashes | undefined;
  readonly keyPrefix: string;
}

/** True for the paths of the gateway's management, known or not. The portal's own mount at the root is none of them. */
export function isManagement(path: string): boolean {
  return path === "/api" || path.startsWith("/api/");
}

/**
 * Guards what manages the gateway (inference-resolved.md, section 2): it takes no virtual key, whatever else is sent, and where a
 * service credential is configured every request must carry it. A preflight cannot, and is let through: it does nothing.
 */
export function createGuard({
  service,
  keyPrefix,
}: GuardSettings): (request: HttpRequest) => ServiceRefused | undefined {
  const challenge = service && challengeOf(service);
  return (request) => {
    const error =
      refuseVirtualKey(request, keyPrefix) ??
      (service === undefined || isPreflight(request) ? undefined : refuseUnknownService(request.headers, service));
    return error && { kind: "refused", error, challenge };
  };
}

function refuseVirtualKey({ headers }: HttpRequest, keyPrefix: string): GatewayError | undefined {
  if (readVirtualKey(headers, keyPrefix) === undefined) return undefined;
  const message = "Virtual keys are for inference and are not accepted under /api.";
  return new GatewayError("virtual_key_not_accepted", message);
}

/**
 * The table of errors has no codes of the service credential. Nearest are those of the access token, which is asked for at the
 * same place (portal-resolved.md, section 2): `token_required` where nothing was sent, `token_not_found` for what is not known,
 * both with `param` `authorization`, which distinguishes the two layers.
 */
function refuseUnknownService(headers: HttpHeaders, service: ServiceHashes): GatewayError | undefined {
  const param = "authorization";
  if (readHeader(headers, param) === undefined) {
    const message = `Under /api this gateway asks for its service credential: send it in \`${param}\`, as ${waysOf(service)}.`;
    return new GatewayError("token_required", message, { param });
  }
  const sent = readServiceCredential(headers);
  if (sent && isSameHash(digest(sent.secret), service[sent.scheme] ?? "")) return undefined;
  const message = `What \`${param}\` holds is not the service credential of this gateway.`;
  return new GatewayError("token_not_found", message, { param });
}

/** What is compared; of one length whatever was sent, so that the time of comparing tells nothing of the secret. */
function digest(secret: string | Uint8Array): string {
  return hash("sha256", secret, "hex");
}

const schemes = {
  basic: { challenge: 'Basic realm="tollgate", charset="UTF-8"', way: "Basic (user and password)" },
  bearer: { challenge: 'Bearer realm="tollgate"', way: "Bearer (a token)" },
} as const satisfies Record<ServiceScheme, object>;

/** The schemes that a service credential is accepted by. */
export function schemesIn(service: ServiceHashes | undefined): ServiceScheme[] {
  return Object.keys(service ?? {}) as ServiceScheme[]; // its type says so
}

function challengeOf(service: ServiceHashes): string {
  return schemesIn(service)
    .map((scheme) => schemes[scheme].challenge)
    .join(", ");
}

function waysOf(service: ServiceHashes): string {
  return schemesIn(service)
    .map((scheme) => schemes[scheme].way)
    .join(" or ");
}
