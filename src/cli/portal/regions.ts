import type { Regions } from "../../index.ts";
import type { Store } from "../../ports/store.ts";
import type { GatewayConfig } from "../config/shape.ts";
import type { Terminal } from "../terminal.ts";

/** What back ends are opened with. */
export interface RegionGround {
  readonly terminal: Terminal;
  readonly store: Store;
}

/** The regions of a configuration with their back ends: one, `local`, unless it names others. */
export async function openRegions(_config: GatewayConfig, _ground: RegionGround): Promise<Regions> {
  return { local: {} };
}
