import type { ToolServerSettings } from "../engine/ports/tools/tool-settings.ts";
import { authorizationOf, type ServiceOptions } from "../operations/service-credential.ts";
import type { ProviderCredential } from "../portal/credentials/credential-source.ts";
import { secretsInAddresses } from "./config/address.ts";
import { readConfigFile } from "./config/file.ts";
import type { CheckedConfig } from "./config/shape.ts";
import { findProviders } from "./providers/environment.ts";
import { kinds } from "./providers/kinds.ts";
import { type MadeProvider, makeProviders } from "./providers/made.ts";
import { type OutgoingNetwork, readNetwork } from "./providers/network.ts";
import type { ProviderParts } from "./providers/portal-credentials.ts";
import type { ProviderOrder, ProviderSource } from "./providers/source.ts";
import { readSettings } from "./settings.ts";
import type { Environment, Probe } from "./terminal/terminal.ts";

/** Where to look. */
export interface SearchContext {
  readonly env: Environment;
  readonly folder: string;
  /** The configuration file named by the caller. */
  readonly file: string | undefined;
  readonly probe: Probe;
  /** What was found before: providers with the same settings are used again. */
  readonly former?: Gathered | undefined;
}

/** Everything that the environment and the configuration say. */
export interface Gathered {
  readonly config: CheckedConfig;
  /** The configuration file, if there is one. */
  readonly file: string | undefined;
  /** Providers: declared ones, found ones, and `local`. */
  readonly sources: readonly ProviderSource[];
  /** The same, with what they were made of. */
  readonly made: readonly MadeProvider[];
  readonly network: OutgoingNetwork;
  /** Secret values, such as keys, which must appear in no output. */
  readonly secrets: readonly string[];
  /** What the configuration says of the providers, before the portal's credentials were added. */
  readonly parts: ProviderParts;
  /** The credentials of the portal that the providers have. */
  readonly credentials: readonly ProviderCredential[];
}

/** Finds the providers and settings of this machine; throws `invalid_configuration` naming the file and the field that is wrong. */
export async function gather({ env, folder, file: requested, probe, former }: SearchContext): Promise<Gathered> {
  const file = await readConfigFile(folder, requested, { isFresh: former !== undefined });
  const { config, declared } = readSettings(file, env);
  const named = new Set([...declared.off, ...[...declared.orders, ...declared.sources].map(({ name }) => name)]);
  const found = config.discover === false ? [] : await findProviders(env, probe, named);
  const orders = [...declared.orders, ...found, ...(named.has("local") ? [] : [builtIn])];
  const network = await readNetwork(config.network, { env, folder });
  const parts = { orders, objects: declared.sources };
  const { credentials = [] } = former ?? {};
  return makeGathered({ config, file: file?.name, network, parts, credentials }, former);
}

/** The same with other credentials of the portal; the configuration is not read again. */
export function withCredentials(former: Gathered, credentials: readonly ProviderCredential[]): Promise<Gathered> {
  const { config, file, network, parts } = former;
  return makeGathered({ config, file, network, parts, credentials }, former);
}

type Unmade = Pick<Gathered, "config" | "file" | "network" | "parts" | "credentials">;

/** Makes the providers of what was found. */
async function makeGathered(found: Unmade, former: Gathered | undefined): Promise<Gathered> {
  const { config, network, parts, credentials } = found;
  const made = await makeProviders({ parts, credentials }, network, former);
  const sources = made.map(({ source }) => source);
  const { server, store, counters, cache, mcp, oidc, guards } = config;
  const ofServers = [
    ...secretsOf(server?.service),
    ...(oidc ?? []).flatMap(({ clientSecret }) => (typeof clientSecret === "string" ? [clientSecret] : [])),
    ...Object.values(mcp?.servers ?? {}).flatMap(secretsOfToolServer),
    ...secretsOfGuards(guards),
    ...secretsInAddresses([store, counters?.address, cache?.answers, cache?.vectors]),
  ];
  const secrets = [...sources.flatMap((source) => source.secrets), ...ofServers, ...network.secrets];
  return { ...found, sources, made, secrets };
}

/** The service credential as it is written and as it is sent, unless too short to be one. */
function secretsOf(service: ServiceOptions = {}): string[] {
  const { user, password = "", token = "" } = service;
  const sent = password === "" ? "" : authorizationOf({ user, password }).slice("Basic ".length);
  return [password, token, sent].filter((secret) => secret.length >= 6);
}

/** The credentials in guards. */
function secretsOfGuards(guards: CheckedConfig["guards"] = []): string[] {
  return guards.flatMap(({ apiKey }) => (typeof apiKey === "string" && apiKey.length >= 6 ? [apiKey] : []));
}

/** The values that a tool server is sent: any of them may be a credential. */
function secretsOfToolServer({ headers = {}, env = {}, oauth }: ToolServerSettings): string[] {
  const values = [...Object.values(headers), ...Object.values(env), oauth?.clientSecret];
  return values.filter((value): value is string => typeof value === "string" && value.length >= 6);
}

const builtIn: ProviderOrder = {
  name: "local",
  vendor: "local",
  from: "built in",
  kind: kinds.local as NonNullable<typeof kinds.local>,
  settings: {},
};
