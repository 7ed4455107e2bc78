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
    const hasPlace = kind.placeVariables === undefined || placesOf(kind).some((place) => place in settings);
    const isUsable = hasPlace && settings.apiKey !== undefined && (settings.baseUrl ?? kind.baseUrl) !== undefined;
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

/** The settings that say where a kind of provider works, one of which it needs. */
export function placesOf({ placeVariables = {} }: ProviderKind): string[] {
  return Object.keys(placeVariables);
}

/** Reads the usual variables of a kind; an empty one counts as not set. */
export function readVariables(kind: ProviderKind, env: Environment): EnvironmentSettings {
  const { keyVariables, urlVariable, placeVariables = {} } = kind;
  const isSet = (name: string) => (env[name] ?? "").trim() !== "";
  const keyVariable = keyVariables.find(isSet);
  const urlFrom = urlVariable !== undefined && isSet(urlVariable) ? urlVariable : undefined;
  const place = Object.entries(placeVariables).find(([, variable]) => isSet(variable));
  return {
    settings: {
      ...(place === undefined ? {} : { [place[0]]: (env[place[1]] ?? "").trim() }),
      ...(keyVariable === undefined ? {} : { apiKey: (env[keyVariable] ?? "").trim() }),
      ...(urlFrom === undefined ? {} : { baseUrl: (env[urlFrom] ?? "").trim() }),
    },
    variables: [keyVariable, urlFrom, place?.[1]].filter((name) => name !== undefined),
  };
}
