import { randomBytes } from "node:crypto";
import { createSecrets } from "../../portal/call/secrets.ts";
import { type ResealReport, resealStore } from "../../portal/reseal.ts";
import type { StoreLocation } from "../store/location.ts";
import { chosenStoreOf } from "../store/open.ts";
import { openStore } from "../store/store.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { addSecret, dropPreviousSecrets, readSecrets, secretFileOf } from "./secret.ts";

/** Which store, and whether the secrets of before are dropped. */
export interface Rotation extends StoreLocation {
  readonly finish?: boolean;
}

/** Encrypts the secrets of a store anew under the present secret; resolves with the exit code, 1 where some can no longer be read. */
export async function rotateSecret(terminal: Terminal, { finish = false, ...location }: Rotation): Promise<number> {
  const choice = location.store ?? (await chosenStoreOf(terminal, location.config));
  const { store, storeFile } = await openStore({ folder: terminal.folder, choice, createIfMissing: false });
  try {
    const isInFile = storeFile !== undefined && !terminal.env.TOLLGATE_SECRET?.trim();
    const file = isInFile ? secretFileOf(terminal, storeFile) : undefined;
    if (file !== undefined && !finish) addSecret(file);
    const { secret, previousSecrets } = readSecrets(terminal, storeFile);
    const report = await resealStore(store.records, createSecrets(secret, randomBytes, previousSecrets));
    if (file !== undefined && finish) dropPreviousSecrets(file);
    terminal.out(describe(report));
    terminal.err(adviceOf({ file, finish, hasPrevious: previousSecrets.length > 0 }));
    return report.unreadable > 0 ? 1 : 0;
  } finally {
    await store.close?.();
  }
}

function describe({ sealed, current, unreadable }: ResealReport): string {
  const rest = unreadable === 0 ? "" : `; ${unreadable} cannot be read with any secret given, and are left as they are`;
  return `${sealed} encrypted anew, ${current} already were${rest}.\n`;
}

interface RotationState {
  /** The file of the secrets; absent where they come from the environment. */
  readonly file: string | undefined;
  readonly finish: boolean;
  readonly hasPrevious: boolean;
}

/** What is to be done next. */
function adviceOf({ file, finish, hasPrevious }: RotationState): string {
  if (file !== undefined && finish) return `${file} holds the present secret only. The rotation is complete.\n`;
  if (file !== undefined) {
    return `${file} holds the new secret and the one of before. Restart the gateway, then run tollgate secret rotate --finish.\n`;
  }
  if (hasPrevious)
    return "When every gateway runs with the new TOLLGATE_SECRET, run this again; then unset TOLLGATE_SECRET_PREVIOUS.\n";
  return "To change the secret, set TOLLGATE_SECRET to a new one and TOLLGATE_SECRET_PREVIOUS to that of today, and run this again.\n";
}
