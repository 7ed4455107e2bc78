import type { Environment, Probe } from "../terminal.ts";
import { type Kind, kinds, type Settings } from "./kinds.ts";
import { findLocalServers } from "./local-servers.ts";
import type { Order } from "./source.ts";

/** What the environment says of a kind: the key, and the variables that hold it and the base URL. */
interface Said {
  readonly settings: Settings;
  readonly variables: readonly string[];
}

/**
 * The providers that the environment names: vendors whose key variable is set, and servers of this machine that answer `probe`. Whatever
 * is in `except` was declared elsewhere and is not looked for.
 */
export async function findProviders(
  env: Environment,
  probe: Probe,
  except: ReadonlySet<string> = new Set(),
): Promise<Order[]> {
  const vendors = Object.entries(kinds).flatMap(([name, kind]): Order[] => {
    if (except.has(name) || !kind.needsKey) return [];
    const { settings, variables } = readVariables(kind, env);
    const isUsable = settings.apiKey !== undefined && (settings.baseUrl ?? kind.baseUrl) !== undefined;
    return isUsable ? [{ name, vendor: name, from: variables.join(", "), kind, settings }] : [];
  });
  const running = await findLocalServers(env, probe, except);
  const servers = running.flatMap(({ name, baseUrl }): Order[] => {
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
export function readVariables({ keyVariables, urlVariable }: Kind, env: Environment): Said {
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
