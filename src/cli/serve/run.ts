import type { LocalCloud } from "tollgate/backends/local";
import type { AuditEntry } from "../../api/portal/users.ts";
import { addressOf, scopeOf } from "../network/address.ts";
import type { ServeObject } from "../portal/backends/kinds.ts";
import { openPortal } from "../portal/open.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { untilStopped } from "./drain.ts";
import { openServer, type ServeOptions } from "./open.ts";
import { openOverStore } from "./open-store.ts";
import { keepLedgerShort } from "./retention.ts";
import { openObservers } from "./telemetry/observers.ts";

/** Serves until a signal; resolves with the exit code. Lines for people go to stderr, the log to stdout. */
export async function runServer(options: ServeOptions, terminal: Terminal): Promise<number> {
  terminal.onLostOutput((reason) =>
    terminal.err(`tollgate: The log loses lines: ${reason}. Calls are still answered.\n`),
  );
  const { opened, store } = await openOverStore(options, terminal);
  const { engine, config, file } = opened;
  let flush = () => {};
  try {
    const { log, telemetry, ...lines } = await openObservers(opened, options.logLevel, terminal);
    flush = lines.flush;
    const shared = new Map<string, ServeObject>();
    let listenAddress = scopeOf(options, config);
    const origin = () => addressOf(listenAddress);
    const onCloud = (code: string, { serve }: LocalCloud) => void shared.set(code, serve);
    const onSecret = ({ operation, user_id, token_id, target, event_id }: AuditEntry) =>
      log.info({ operation, user_id, token_id, target, event_id }, "a secret was given out");
    const portal = store && (await openPortal(terminal, { engine, config, file, origin, onCloud, onSecret, ...store }));
    const server = await openServer({ options, opened, store, portal, shared, log, telemetry, terminal });
    listenAddress = { ...listenAddress, port: server.port }; // port 0 is any free one
    const stopPruning =
      store === undefined ? () => {} : keepLedgerShort({ engine, log, rules: config.ledger, now: terminal.now });
    const stopJobs = portal?.start((error, job) => log.error({ err: error, job }, "a duty of the portal failed"));
    const graceMs = options.graceMs ?? 30_000;
    return await untilStopped({ engine, server, log, terminal, graceMs, stoppedBy: server.stoppedBy }).finally(
      async () => {
        stopPruning();
        await stopJobs?.();
        await telemetry.close();
      },
    );
  } catch (thrown) {
    await engine.close({ graceMs: 0 });
    throw thrown;
  } finally {
    flush();
  }
}
