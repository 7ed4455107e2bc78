import { watchLimits } from "./alerts/limits.ts";
import type { PortalDeps } from "./area.ts";
import { permissionSources } from "./areas/permission-sources.ts";
import { createBackupScheduler } from "./backups/backup-scheduler.ts";
import { openSealed } from "./credentials/open-sealed.ts";
import { createNotify } from "./notify.ts";
import type { PortalOptions } from "./options.ts";
import { createPasswords } from "./passwords/passwords.ts";
import { openRun } from "./run/open-run.ts";
import type { RowCall } from "./run/run.ts";
import { openTariff } from "./tariff/open-tariff.ts";

/** The parts of a portal. */
interface AssembledPortal {
  readonly deps: PortalDeps;
  run(call: RowCall): Promise<unknown>;
}

/** Assembles the parts of a portal from its options and the engine's defaults. */
export function assemble(options: PortalOptions): AssembledPortal {
  const { engine, store, regions = { local: {} } } = options;
  const { clock = engine.clock, entropy = engine.entropy } = options;
  const { records, schema: storeSchema } = store;
  const ledger = { ...store.ledger, ...store.reports };
  const { webhooks, mails, publicUrl } = options;
  const newId = (prefix: string) => `${prefix}_${Buffer.from(entropy(10)).toString("hex")}`;
  const notify = createNotify({ records, clock });
  const opened = openRun({
    ...{ engine, records, ledger, clock, entropy, regions, permissionSources, newId, notify },
    backups: createBackupScheduler(
      { records, clock, regions, newId, notify, mails },
      options.backupPolicies,
      options.backupPlaces,
    ),
    ...{ onSecret: options.onSecret, retention: options.retention, processFacts: options.processFacts, storeSchema },
    ...{ webhooks, mails, publicUrl: publicUrl?.replace(/\/*$/, "/") },
    passwords: createPasswords({ records, entropy }),
    ...openTariff(options, records),
    ...openSealed(options, { records, entropy }),
  });
  watchLimits(opened.deps);
  return opened;
}
