import type { Environment, Probe } from "../terminal/terminal.ts";
import { kinds, type ProviderKind, type ProviderSettings } from "./kinds.ts";
import { findLocalServers } from "./local-servers.ts";
import type { ProviderOrder } from "./source.ts";

/** The key and base URL of a kind in the environment, and the variables that contain them. */
interface EnvironmentSettings {
  readonly settings: ProviderSettings;
  readonly variables: readonly string[];
}

/**
 * Finds providers in the environment: vendors whose key variable is set, and local servers that answer `probe`. Skips the names in
 * `except`, which are declared elsewhere.
 */
export async function findProviders(
  env: Environment,
  probe: Probe,
  except: ReadonlySet<string> = new Set(),
): Promise<ProviderOrder[]> {
  const vendors = Object.entries(kinds).flatMap(([name, kind]): ProviderOrder[] => {
    if (except.has(name) || !kind.needsKey) return [];
    const { settings, variables } = readVariables(kind, env);
    const isUsable = settings.apiKey !== undefined && (settings.baseUrl ?? kind.baseUrl) !== undefined;
    return isUsable ? [{ name, vendor: name, from: variables.join(", "), kind, settings }] : [];
  });
  const running = await findLocalServers(env, probe, except);
  const servers = running.flatMap(({ name, baseUrl }): ProviderOrder[] => {
    const kind = kinds[name];
    if (kind === undefined) return [];
    const { apiKey } = readVariables(kind, env).settings;
    return [
      {
        name,
        vendor: name,
        from: "answers on this port",
        kind,
        settings: { baseUrl, ...(apiKey === undefined ? {} : { apiKey }) },
      },
    ];
  });
  return [...vendors, ...servers];
}

/** Reads the usual variables of a kind; an empty one counts as not set. */
export function readVariables({ keyVariables, urlVariable }: ProviderKind, env: Environment): EnvironmentSettings {
  const isSet = (name: string) => (env[name] ?? "").trim() !== "";
  const keyVariable = keyVariables.find(isSet);
  const urlFrom = urlVariable !== undefined && isSet(urlVariable) ? urlVariable : undefined;
  return {
    settings: {
      ...(keyVariable === undefined ? {} : { apiKey: (env[keyVariable] ?? "").trim() }),
      ...(urlFrom === undefined ? {} : { baseUrl: (env[urlFrom] ?? "").trim() }),
    },
    variables: [keyVariable, urlFrom].filter((name) => name !== undefined),
  };
}
