import { misconfigured } from "../config/references.ts";
import { isDatabase, readAddress } from "./address.ts";

/** A server that a setting names. */
export interface Wanted {
  readonly setting: string;
  readonly address: string;
  /** Told why it is out of reach, where it can be done without. */
  readonly tell?: ((notice: string) => void) | undefined;
}

/**
 * What becomes of a server that could not be used: where it can be done without and only the way to it fails, which may be otherwise the
 * next time, somebody is told. Else throws `invalid_configuration`. Neither holds a secret, but what the server said or the way to it.
 */
export function giveUp({ setting, address, tell }: Wanted, thrown: unknown): void {
  const { message, code = "", syscall } = thrown as Fault;
  const { shown } = readAddress(address);
  const error = misconfigured(
    setting,
    `names ${shown}, which cannot be used: ${message || code}${adviceFor(shown, code)}`,
  );
  const isAway = away.has(code) && syscall !== "open"; // which is of a certificate's file
  if (!tell || !isAway) throw error;
  tell(`${error.message} It is done without until it answers.`);
}

/** What a client of a server throws. */
interface Fault {
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

/** Codes of OpenSSL for a certificate whose authority is not known here. */
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
