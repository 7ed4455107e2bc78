import type { AreaTools } from "./area.ts";
import { readTariff } from "./areas/ai/tariff.ts";
import { ownBackends } from "./backends.ts";
import { createCallByPath } from "./by-path.ts";
import { grantors } from "./grantors.ts";
import { createNotify } from "./notices.ts";
import type { PortalOptions, PortalWorld } from "./options.ts";
import { type RowCall, run } from "./run.ts";
import { createSecrets } from "./secrets.ts";
import { watchLimits } from "./watch/limits.ts";

/** What a portal works with. */
interface Assembled {
  readonly tools: AreaTools;
  run(call: RowCall): Promise<unknown>;
}

/** Puts a portal's parts together: the options' where they say something, the world's where they do not. */
export function assemble(options: PortalOptions, world: PortalWorld): Assembled {
  const { engine, store, regions = { local: {} } } = options;
  const { clock = world.clock, entropy = world.entropy } = options;
  const { records, ledger } = store;
  const tools: AreaTools = {
    ...{ engine, records, ledger, clock, entropy, regions, grantors },
    newId: (prefix) => `${prefix}_${Buffer.from(entropy(10)).toString("hex")}`,
    tariff: readTariff(options),
    secrets: createSecrets(options.secret, entropy),
    notify: createNotify({ records, clock }),
    call: createCallByPath((call) => runRow(call), engine.newEventId),
  };
  watchLimits(tools);
  const own = ownBackends(tools);
  const runRow = (call: RowCall) => run({ tools, own }, call);
  return { tools, run: runRow };
}
