import { watchLimits } from "./alerts/limits.ts";
import type { PortalDeps } from "./area.ts";
import { permissionSources } from "./areas/permission-sources.ts";
import { createBackupScheduler } from "./backups/runs/backup-scheduler.ts";
import { createSecrets } from "./call/secrets.ts";
import { createNotify } from "./notify.ts";
import type { PortalOptions } from "./options.ts";
import { createCallByPath } from "./run/by-path.ts";
import { createRun, type RowCall } from "./run/run.ts";
import { readTariff } from "./tariff/tariff.ts";

/** The parts of a portal. */
interface AssembledPortal {
  readonly deps: PortalDeps;
  run(call: RowCall): Promise<unknown>;
}

/** Assembles the parts of a portal from its options and the engine's defaults. */
export function assemble(options: PortalOptions): AssembledPortal {
  const { engine, store, regions = { local: {} } } = options;
  const { clock = engine.clock, entropy = engine.entropy } = options;
  const { records, ledger } = store;
  const newId = (prefix: string) => `${prefix}_${Buffer.from(entropy(10)).toString("hex")}`;
  const notify = createNotify({ records, clock });
  const deps: PortalDeps = {
    ...{ engine, records, ledger, clock, entropy, regions, permissionSources, newId, notify },
    backups: createBackupScheduler({ records, clock, regions, newId, notify }, options.backupPolicies),
    ...{ onSecret: options.onSecret, retention: options.retention },
    tariff: readTariff(options),
    secrets: createSecrets(options.secret, entropy, options.previousSecrets),
    call: createCallByPath((call) => run(call), engine.newEventId),
  };
  watchLimits(deps);
  const run = createRun(deps);
  return { deps, run };
}
