import { randomBytes } from "node:crypto";
import { writeProviders } from "./banner.ts";
import { addressOf } from "./network/address.ts";
import { type Offline, openOffline } from "./offline.ts";
import { checkAddress, type ServeOptions } from "./open.ts";
import { openPortal } from "./portal/open.ts";
import { readSecrets } from "./portal/secret.ts";
import { checkMetrics } from "./telemetry/metrics.ts";
import type { Terminal } from "./terminal/terminal.ts";

/**
 * Validates what `serve` validates: settings, environment references, prices, providers, regions, tiers and required packages. It opens
 * no port, creates no file and contacts no database, Redis server, back end or vendor; it does probe local model servers. Resolves with
 * the exit code.
 */
export async function checkServer(options: ServeOptions, terminal: Terminal): Promise<number> {
  const offline = await openOffline(options, terminal);
  const { opened, storeName } = offline;
  try {
    const address = addressOf(await checkAddress({ options, opened }, storeName !== undefined));
    await checkMetrics(opened);
    await checkPortal(offline, terminal);
    const store = storeName === undefined ? "nothing would be kept" : `keys and ledger would be in ${storeName}`;
    terminal.out(writeProviders(opened));
    terminal.out(`\nThe configuration is valid. tollgate would listen on ${address}; ${store}.\n`);
    terminal.out("No provider, database, Redis server or back end was contacted.\n");
    return 0;
  } finally {
    await opened.engine.close({ graceMs: 0 });
  }
}

/** Regions, tiers, uplift and backup policies. What is encrypted in memory needs no secret that lasts; a shared store's must be there. */
async function checkPortal({ opened, store, isShared }: Offline, terminal: Terminal): Promise<void> {
  if (store === undefined) return; // nothing is kept, and there is no portal
  const secret = isShared ? readSecrets(terminal, undefined).secret : randomBytes(32).toString("hex");
  const extra = { ...terminal, env: { ...terminal.env, TOLLGATE_SECRET: secret } };
  const { engine, config, file } = opened;
  await openPortal(extra, { engine, config, file, store, storeFile: undefined });
}
