import { isDatabase, readAddress } from "../config/address.ts";
import { misconfigured } from "../config/references.ts";

/** A server that a setting names. */
export interface ConfiguredServer {
  readonly setting: string;
  readonly address: string;
  /** Receives the reason why an optional server is unreachable. */
  readonly notify?: ((notice: string) => void) | undefined;
}

/**
 * Handles a server that cannot be used. If the server is optional and only the connection failed, reports it to `notify`. Otherwise
 * throws `invalid_configuration`. The message contains the server's error or the network error, and no secret.
 */
export function throwUnusable({ setting, address, notify }: ConfiguredServer, thrown: unknown): void {
  const { message, code = "", syscall } = thrown as ConnectionFault;
  const { shown } = readAddress(address);
  const error = misconfigured(
    setting,
    `names ${shown}, which cannot be used: ${message || code}${adviceFor(shown, code)}`,
  );
  const isAway = away.has(code) && syscall !== "open"; // which is of a certificate's file
  if (!notify || !isAway) throw error;
  notify(`${error.message} It is done without until it answers.`);
}

/** What a client of a server throws. */
interface ConnectionFault {
  readonly message?: string;
  readonly code?: string;
  readonly syscall?: string;
}

/** Codes of the way to a server, of one that starts, and of one that has no connection left. */
const away: ReadonlySet<string> = new Set([
  "ECONNREFUSED",
  "ECONNRESET",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "ENOENT",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EPIPE",
  "ETIMEDOUT",
  "57P03",
  "53300",
]);

/** OpenSSL codes for a certificate of an unknown authority. */
const unknownAuthority: ReadonlySet<string> = new Set([
  "DEPTH_ZERO_SELF_SIGNED_CERT",
  "SELF_SIGNED_CERT_IN_CHAIN",
  "UNABLE_TO_GET_ISSUER_CERT_LOCALLY",
  "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
]);

function adviceFor(shown: string, code: string): string {
  if (code === "ECONNRESET" && /^redis:/i.test(shown))
    return "; of a server that wants TLS, the address begins with `rediss://`";
  if (!unknownAuthority.has(code)) return "";
  const here = isDatabase(shown) ? "`sslrootcert` of the address, or in " : "";
  return `; name the file with its authority's certificate in ${here}NODE_EXTRA_CA_CERTS`;
}
