import { GatewayError } from "../../engine/errors.ts";
import { isDatabase } from "../config/address.ts";
import type { CheckedConfig } from "../config/shape.ts";
import { defaultStore } from "../store/location.ts";
import { mostWorkers } from "./read-workers.ts";

/** What the number of workers depends on. */
export interface WorkersNeed {
  readonly asked: number | "auto";
  /** The store of the command line; `false` for none. */
  readonly store: string | false | undefined;
  readonly config: Pick<CheckedConfig, "store" | "counters">;
  readonly cores: number;
}

/**
 * How many processes serve. `auto` is one per core where they can share what they count, else one. Throws `invalid_configuration` where
 * several are asked for and a budget would be counted by each of them alone. Over a store file the supervisor counts and writes for all.
 */
export function countWorkers({ asked, store, config, cores }: WorkersNeed): number {
  if (asked === 1) return 1;
  const choice = store ?? config.store ?? defaultStore;
  const lack = lackOf(choice, config);
  if (asked === "auto") return lack === undefined ? Math.min(Math.max(1, cores), mostWorkers) : 1;
  if (lack === undefined) return asked;
  throw new GatewayError("invalid_configuration", `--workers ${asked} ${lack.problem}`, { param: lack.param });
}

/** What keeps several processes from counting together; `undefined` where nothing does. */
function lackOf(store: string | false, { counters }: WorkersNeed["config"]) {
  if (store === false || !isDatabase(store) || counters !== undefined) return undefined;
  const problem =
    "needs `counters: redis://…` in the configuration; without it each worker would count limits and budgets alone.";
  return { param: "counters", problem };
}
