import { secretsInAddresses } from "../config/address.ts";
import type { GatewayConfig } from "../config/shape.ts";
import { authorizationOf, type ServiceOptions } from "../operations/service-credential.ts";
import { readConfigFile } from "./config/file.ts";
import { findProviders } from "./providers/environment.ts";
import { kinds } from "./providers/kinds.ts";
import { makeSource, type ProviderOrder, type ProviderSource } from "./providers/source.ts";
import { readSettings } from "./settings.ts";
import type { Environment, Probe } from "./terminal/terminal.ts";

/** Where to look. */
export interface SearchContext {
  readonly env: Environment;
  readonly folder: string;
  /** The configuration file named by the caller. */
  readonly file: string | undefined;
  readonly probe: Probe;
}

/** Everything that the environment and the configuration say. */
export interface Gathered {
  readonly config: GatewayConfig;
  /** The configuration file, if there is one. */
  readonly file: string | undefined;
  /** Providers: declared ones, found ones, and `local`. */
  readonly sources: readonly ProviderSource[];
  /** Secret values, such as keys, which must appear in no output. */
  readonly secrets: readonly string[];
}

/** Finds the providers and settings of this machine; throws `invalid_configuration` naming the file and the field that is wrong. */
export async function gather({ env, folder, file: requested, probe }: SearchContext): Promise<Gathered> {
  const file = await readConfigFile(folder, requested);
  const { config, declared } = readSettings(file, env);
  const named = new Set([...declared.off, ...[...declared.orders, ...declared.sources].map(({ name }) => name)]);
  const found = config.discover === false ? [] : await findProviders(env, probe, named);
  const orders = [...declared.orders, ...found, ...(named.has("local") ? [] : [builtIn])];
  const sources = [...declared.sources, ...(await Promise.all(orders.map(makeSource)))];
  const { server, store, counters, cache } = config;
  const ofServers = [
    ...secretsOf(server?.service),
    ...secretsInAddresses([store, counters?.address, cache?.answers, cache?.vectors]),
  ];
  const secrets = [...sources.flatMap((source) => source.secrets), ...ofServers];
  return { config, file: file?.name, sources, secrets };
}

/** The service credential as it is written and as it is sent, unless too short to be one. */
function secretsOf(service: ServiceOptions = {}): string[] {
  const { user, password = "", token = "" } = service;
  const sent = password === "" ? "" : authorizationOf({ user, password }).slice("Basic ".length);
  return [password, token, sent].filter((secret) => secret.length >= 6);
}

const builtIn: ProviderOrder = {
  name: "local",
  vendor: "local",
  from: "built in",
  kind: kinds.local as NonNullable<typeof kinds.local>,
  settings: {},
};
