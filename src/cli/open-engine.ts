import { catalogue } from "tollgate/prices/catalogue";
import { createEngine, type Engine } from "../index.ts";
import { type Gathered, gather } from "./gather.ts";
import { onlyPresent } from "./present.ts";
import type { Source } from "./providers/source.ts";
import type { Terminal } from "./terminal.ts";

/** An engine over everything that was found, and what that was. */
export interface Opened extends Gathered {
  readonly engine: Engine;
}

/** Finds the providers of this machine and builds an engine over them; whoever opens it closes it. */
export async function openEngine({ env, folder, probe }: Terminal, file: string | undefined): Promise<Opened> {
  const gathered = await gather({ env, folder, file, probe });
  const { timeouts = {}, retry = {} } = gathered.config;
  const providers = gathered.sources.map(({ provider }) => provider);
  const prices = catalogue({ overrides: free, like: Object.fromEntries(gathered.sources.flatMap(sellsLike)) });
  const engine = createEngine({ providers, prices, timeouts: onlyPresent(timeouts), retry: onlyPresent(retry) });
  return { ...gathered, engine };
}

/** The echo costs nothing. */
const free = { "local/*": { input_cost_per_token: 0, output_cost_per_token: 0 } };

/** A second account of a vendor, under another name, has the vendor's prices. */
function sellsLike({ name, vendor }: Source): [name: string, vendor: string][] {
  return vendor === undefined || vendor === name ? [] : [[name, vendor]];
}
