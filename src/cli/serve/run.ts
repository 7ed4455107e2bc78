import type { LocalCloud } from "tollgate/backends/local";
import type { ServeObject } from "../portal/backends/kinds.ts";
import { openPortal } from "../portal/open.ts";
import type { Terminal } from "../terminal.ts";
import { addressOf, placeOf } from "./address.ts";
import { untilStopped } from "./drain.ts";
import { openKept } from "./kept.ts";
import { openObservers } from "./observe.ts";
import { openServer, type ServeOptions } from "./open.ts";
import { keepLedgerShort } from "./retention.ts";

/** Serves until a signal; resolves with the exit code. Lines for people go to stderr, the log to stdout. */
export async function runServer(options: ServeOptions, terminal: Terminal): Promise<number> {
  terminal.onLostOutput((reason) =>
    terminal.err(`tollgate: The log loses lines: ${reason}. Calls are still answered.\n`),
  );
  const { opened, kept } = await openKept(options, terminal);
  const { engine, config, file } = opened;
  let flush = () => {};
  try {
    const { log, telemetry, ...lines } = await openObservers(opened, options.logLevel, terminal);
    flush = lines.flush;
    const shared = new Map<string, ServeObject>();
    let place = placeOf(options, config);
    const origin = () => addressOf(place);
    const onCloud = (code: string, { serve }: LocalCloud) => void shared.set(code, serve);
    const portal = kept && (await openPortal(terminal, { engine, config, file, origin, onCloud, ...kept }));
    const server = await openServer({ options, opened, kept, portal, shared, log, telemetry, terminal });
    place = { ...place, port: server.port }; // port 0 is any free one
    const stopPruning =
      kept === undefined ? () => {} : keepLedgerShort({ engine, log, rules: config.ledger, now: terminal.now });
    const stopDuties = portal?.start((error, duty) => log.error({ err: error, duty }, "a duty of the portal failed"));
    const graceMs = options.graceMs ?? 30_000;
    return await untilStopped({ engine, server, log, terminal, graceMs, stoppedBy: server.stoppedBy }).finally(
      async () => {
        stopPruning();
        await stopDuties?.();
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
