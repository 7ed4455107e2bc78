import { isIPv6 } from "node:net";
import { GatewayError } from "../../errors.ts";

/** Where to listen. */
export interface Place {
  readonly host: string;
  /** 0 for any free one. */
  readonly port: number;
}

/** The place as a URL has it, and as this machine reaches it; throws `invalid_configuration` for a host that none can have. */
export function addressOf({ host, port }: Place): string {
  const address = `http://${nameOf(host)}:${port}`;
  if (!URL.canParse(address)) throw unknownHost(host);
  return address;
}

/** Where the command line says to listen, else the configuration, else port 8080 of this machine. */
export function placeOf(said: Partial<Unsaid>, { server }: { readonly server?: Partial<Unsaid> | undefined }): Place {
  const host = said.host ?? server?.host ?? "127.0.0.1";
  return { host: withoutBrackets(host), port: said.port ?? server?.port ?? 8_080 };
}

type Unsaid = { readonly [Field in keyof Place]: Place[Field] | undefined };

/** An IPv6 address may be written as a URL has it. */
function withoutBrackets(host: string): string {
  const [, inside = ""] = /^\[(.*)\]$/.exec(host) ?? [];
  return isIPv6(inside) ? inside : host;
}

function nameOf(host: string): string {
  if (host === "0.0.0.0" || host === "::") return "127.0.0.1";
  return host.includes(":") ? `[${host}]` : host;
}

/** The error of a host that nobody knows. */
export function unknownHost(host: string, cause?: unknown): GatewayError {
  const message = `${host} is no known host. --host 127.0.0.1 is for this machine only, --host 0.0.0.0 for all.`;
  return new GatewayError("invalid_configuration", message, { cause });
}
