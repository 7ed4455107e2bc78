import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import type { NetworkOptions, Transport } from "tollgate/transports/undici";
import { isGatewayError } from "../../engine/errors.ts";
import type { NetworkConfig } from "../config/connections.ts";
import { misconfigured } from "../config/references.ts";
import { onlyPresent } from "../present-options.ts";
import type { Environment } from "../terminal/terminal.ts";

/** How calls to providers leave this machine: what makes a transport for each, and what must appear in no output. */
export interface OutgoingNetwork {
  /** A transport of its own for each provider, which closes it; `undefined` where nothing is set, and each has its own anyway. */
  open(): Promise<Transport | undefined>;
  /** What the transports are made with. */
  readonly options: NetworkOptions;
  /** Passwords of proxies. */
  readonly secrets: readonly string[];
}

/** Settings of the file, and those of the environment that the file is silent on. */
export async function readNetwork(
  config: NetworkConfig | undefined,
  { env, folder }: { readonly env: Environment; readonly folder: string },
): Promise<OutgoingNetwork> {
  const proxy = config?.proxy === false ? undefined : proxiesOf(config, env);
  const ca = config?.ca === undefined ? undefined : await Promise.all([config.ca].flat().map(readAuthority(folder)));
  const { dns, keepAlive } = config ?? {};
  const options: NetworkOptions = onlyPresent({ proxy, ca, dns: dns && onlyPresent(dns), keepAlive });
  const isSet = Object.keys(options).length > 0;
  const open = async () => (isSet ? (await import("tollgate/transports/undici")).network(options) : undefined);
  await open().then((transport) => transport?.close(), refuse);
  return { open, options, secrets: [proxy?.http, proxy?.https].flatMap(passwordOf) };
}

function proxiesOf(config: NetworkConfig | undefined, env: Environment): NetworkOptions["proxy"] {
  const read = (name: string) => env[name.toLowerCase()]?.trim() || env[name]?.trim() || undefined;
  const requested =
    typeof config?.proxy === "string" ? { http: config.proxy, https: config.proxy } : config?.proxy || {};
  const { https = read("HTTPS_PROXY"), http = read("HTTP_PROXY") } = requested;
  if (https === undefined && http === undefined) return undefined;
  return { https, http, except: config?.noProxy ?? read("NO_PROXY") };
}

function readAuthority(folder: string): (ca: string) => Promise<string> {
  return async (ca) => {
    if (ca.includes("-----BEGIN")) return ca;
    return readFile(resolve(folder, ca), "utf8").catch(({ code }: NodeJS.ErrnoException) => {
      throw misconfigured("network.ca", `names a file that cannot be read: ${code ?? "unknown"}`);
    });
  };
}

/** Names the setting; a wrong value may also stand in the variable that counts where there is none. */
function refuse(thrown: unknown): never {
  if (!isGatewayError(thrown) || thrown.code !== "invalid_configuration") throw thrown;
  const { param = "", message } = thrown;
  const problem = message.replace(/^`[^`]*`(?: of network)? /, "").replace(/\.$/, "");
  const variable = variables[param];
  const hint = variable === undefined ? "" : `; where it is not set, ${variable} counts`;
  throw misconfigured(`network.${param === "proxy.except" ? "noProxy" : param}`, problem + hint);
}

const variables: Readonly<Record<string, string>> = {
  "proxy.http": "HTTP_PROXY",
  "proxy.https": "HTTPS_PROXY",
  "proxy.except": "NO_PROXY",
};

function passwordOf(proxy: string | undefined): string[] {
  const password = URL.parse(proxy ?? "")?.password ?? "";
  return [password, decodeURIComponent(password)].filter((secret) => secret.length >= 6);
}
