import type { AreaTools } from "./area.ts";
import { readTariff } from "./areas/ai/tariff.ts";
import { createRounds } from "./backups/rounds.ts";
import { createCallByPath } from "./by-path.ts";
import { grantors } from "./grantors.ts";
import { createNotify } from "./notices.ts";
import type { PortalOptions } from "./options.ts";
import { createRun, type RowCall } from "./run.ts";
import { createSecrets } from "./secrets.ts";
import { watchLimits } from "./watch/limits.ts";

/** What a portal works with. */
interface Assembled {
  readonly tools: AreaTools;
  run(call: RowCall): Promise<unknown>;
}

/** Puts a portal's parts together: the options' where they say something, the world's where they do not. */
export function assemble(options: PortalOptions): Assembled {
  const { engine, store, regions = { local: {} } } = options;
  const { clock = engine.clock, entropy = engine.entropy } = options;
  const { records, ledger } = store;
  const newId = (prefix: string) => `${prefix}_${Buffer.from(entropy(10)).toString("hex")}`;
  const notify = createNotify({ records, clock });
  const tools: AreaTools = {
    ...{ engine, records, ledger, clock, entropy, regions, grantors, newId, notify },
    backups: createRounds({ records, clock, regions, newId, notify }, options.backupPolicies),
    tariff: readTariff(options),
    secrets: createSecrets(options.secret, entropy),
    call: createCallByPath((call) => run(call), engine.newEventId),
  };
  watchLimits(tools);
  const run = createRun(tools);
  return { tools, run };
}
