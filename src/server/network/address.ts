import { isIPv6 } from "node:net";
import { GatewayError } from "../../engine/errors.ts";

/** Where to listen. */
export interface ListenAddress {
  readonly host: string;
  /** 0 for any free one. */
  readonly port: number;
}

/** Returns the listen address as a URL that this machine can reach. Throws `invalid_configuration` for an invalid host. */
export function addressOf({ host, port }: ListenAddress): string {
  const address = `http://${nameOf(host)}:${port}`;
  if (!URL.canParse(address)) throw unknownHost(host);
  return address;
}

/** The listen address: from the command line, else the configuration, else port 8080 on this machine. */
export function scopeOf(
  reported: Partial<DefaultAddress>,
  { server }: { readonly server?: Partial<DefaultAddress> | undefined },
): ListenAddress {
  const host = reported.host ?? server?.host ?? "127.0.0.1";
  return { host: withoutBrackets(host), port: reported.port ?? server?.port ?? 8_080 };
}

type DefaultAddress = { readonly [Field in keyof ListenAddress]: ListenAddress[Field] | undefined };

/** An IPv6 address may be written as a URL has it. */
function withoutBrackets(host: string): string {
  const [, inside = ""] = /^\[(.*)\]$/.exec(host) ?? [];
  return isIPv6(inside) ? inside : host;
}

function nameOf(host: string): string {
  if (host === "0.0.0.0" || host === "::") return "127.0.0.1";
  return host.includes(":") ? `[${host}]` : host;
}

/** The error for an unknown host. */
export function unknownHost(host: string, cause?: unknown): GatewayError {
  const message = `Unknown host ${host}. Use --host 127.0.0.1 for this machine only, or --host 0.0.0.0 for all.`;
  return new GatewayError("invalid_configuration", message, { cause });
}
