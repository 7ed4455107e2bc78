import type { Logger } from "pino";
import { isGatewayError } from "../../engine/errors.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { describeChanges } from "./changes.ts";
import type { LiveConfiguration } from "./live-configuration.ts";
import { onEachReload } from "./on-each-reload.ts";
import { type ReloadOutcome, removeProcessFile, writeProcessFile } from "./process-file.ts";

/** A server whose configuration can be read again. */
export interface ReloadableServer {
  readonly configuration: LiveConfiguration;
  /** Where the number of the process is written; `undefined` for nowhere. */
  readonly processFile: string | undefined;
  /** Called with the outcome of each reload. */
  readonly onOutcome?: (outcome: ReloadOutcome) => void;
  readonly log: Pick<Logger, "info" | "error">;
  readonly terminal: Pick<Terminal, "err" | "onReload" | "pid">;
}

/**
 * Reads the configuration again at every SIGHUP, one at a time; signals that come meanwhile are one more. What cannot be taken over is
 * logged, and the former configuration stays. Returns what stops that.
 */
export function serveReloads(server: ReloadableServer): () => Promise<void> {
  const { configuration, processFile, log, terminal, onOutcome } = server;
  const { pid } = terminal;
  const reload = async (count: number): Promise<ReloadOutcome> => {
    try {
      const { changes } = await configuration.reload();
      const message = describeChanges(changes);
      log.info({ changes: message }, "configuration reloaded");
      terminal.err(`The configuration was read again: ${message}.\n`);
      return { count, isApplied: true, message };
    } catch (thrown) {
      const message = isGatewayError(thrown) ? thrown.message : `It failed: ${String(thrown)}`;
      log.error({ err: thrown }, "configuration refused; the former one stays");
      terminal.err(`tollgate: ${message} The former configuration stays.\n`);
      return { count, isApplied: false, message };
    }
  };
  const note = async (gateway: Parameters<typeof writeProcessFile>[1]) => {
    if (processFile === undefined) return;
    await writeProcessFile(processFile, gateway).catch((error: Error) => {
      log.error({ err: error }, "the process file cannot be written");
    });
  };

  const noted = note({ pid, lastReload: undefined });
  const stop = onEachReload(terminal, async (count) => {
    await noted;
    const lastReload = await reload(count);
    await note({ pid, lastReload });
    onOutcome?.(lastReload);
  });
  return async () => {
    await noted;
    await stop();
    if (processFile !== undefined) await removeProcessFile(processFile, pid);
  };
}
