import { randomBytes } from "node:crypto";
import { openPortal } from "../portal/open.ts";
import { readSecret } from "../portal/secret.ts";
import type { Terminal } from "../terminal.ts";
import { addressOf } from "./address.ts";
import { writeProviders } from "./banner.ts";
import { checkMetrics } from "./metrics.ts";
import { type Offline, openOffline } from "./offline.ts";
import { checkPlace, type ServeOptions } from "./open.ts";

/**
 * Checks all that `serve` would: settings, references to the environment, prices, providers, regions, tiers, packages that are needed.
 * No port is opened, no file made, and no database, Redis server, back end or vendor asked; model servers of this machine are looked for,
 * as always. Resolves with the exit code.
 */
export async function checkServer(options: ServeOptions, terminal: Terminal): Promise<number> {
  const offline = await openOffline(options, terminal);
  const { opened, storeName } = offline;
  try {
    const address = addressOf(await checkPlace({ options, opened }, storeName !== undefined));
    await checkMetrics(opened);
    await checkPortal(offline, terminal);
    const kept = storeName === undefined ? "nothing would be kept" : `keys and ledger would be in ${storeName}`;
    terminal.out(writeProviders(opened));
    terminal.out(`\nThe configuration is good. tollgate would listen on ${address}; ${kept}.\n`);
    terminal.out("No vendor, database, Redis server or back end was asked.\n");
    return 0;
  } finally {
    await opened.engine.close({ graceMs: 0 });
  }
}

/** Regions, tiers, uplift and backup policies. What is encrypted in memory needs no secret that lasts; a shared store's must be there. */
async function checkPortal({ opened, store, isShared }: Offline, terminal: Terminal): Promise<void> {
  if (store === undefined) return; // nothing is kept, and there is no portal
  const secret = isShared ? readSecret(terminal, undefined) : randomBytes(32).toString("hex");
  const beside = { ...terminal, env: { ...terminal.env, TOLLGATE_SECRET: secret } };
  const { engine, config, file } = opened;
  await openPortal(beside, { engine, config, file, store, storeFile: undefined });
}
