import { setTimeout as after } from "node:timers/promises";
import { GatewayError } from "../../engine/errors.ts";
import { isDatabase } from "../config/address.ts";
import { readConfigFile } from "../config/file.ts";
import { readSettings } from "../settings.ts";
import { defaultStore } from "../store/location.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { processFileAt, type RunningGateway, readProcessFile } from "./process-file.ts";

/** Where the process file of the gateway is looked for; `processFile` wins, then `store`. */
export interface ReloadRequest {
  readonly config: string | undefined;
  readonly store: string | undefined;
  readonly processFile: string | undefined;
}

/** Milliseconds between two looks at the outcome, and in all. */
const lookEveryMs = 100;
const patienceMs = 60_000;

/** Has the gateway reload its configuration and waits for the outcome; resolves with the exit code, 1 where it was refused. */
export async function requestReload(request: ReloadRequest, terminal: Terminal): Promise<number> {
  const file = await findProcessFile(request, terminal);
  const before = await readProcessFile(file);
  if (before === undefined || !terminal.requestReload(before.pid))
    throw new GatewayError("invalid_configuration", missing(file, before));
  const seen = before.lastReload?.count ?? 0;
  for (const end = terminal.now() + patienceMs; terminal.now() < end; ) {
    await after(lookEveryMs);
    const outcome = (await readProcessFile(file))?.lastReload;
    if (outcome === undefined || outcome.count <= seen) continue;
    if (outcome.isApplied) terminal.out(`The configuration was taken over: ${outcome.message}.\n`);
    else terminal.err(`tollgate: ${outcome.message} The former configuration stays.\n`);
    return outcome.isApplied ? 0 : 1;
  }
  terminal.err(`tollgate: The gateway (process ${before.pid}) has not said how the reload ended; its log will.\n`);
  return 1;
}

function missing(file: string, found: RunningGateway | undefined): string {
  if (found === undefined)
    return `${file} is not there: no gateway runs over this store, or it has another --pid-file.`;
  return `The gateway of ${file} (process ${found.pid}) does not run any more, or belongs to another user.`;
}

async function findProcessFile({ config, store, processFile }: ReloadRequest, terminal: Terminal): Promise<string> {
  const { folder, env } = terminal;
  const chooseStore = async () =>
    store ?? readSettings(await readConfigFile(folder, config), env).config.store ?? defaultStore;
  const choice = processFile === undefined ? await chooseStore() : false;
  const storeFile = choice === false || isDatabase(choice) ? undefined : choice;
  const file = processFileAt({ folder, processFile, storeFile });
  if (file !== undefined) return file;
  throw new GatewayError("invalid_configuration", "The gateway has no store file: name its --pid-file.");
}
