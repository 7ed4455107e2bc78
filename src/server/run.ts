import type { LocalCloud } from "tollgate/backends/local";
import type { AuditEntry } from "../operations/records/users.ts";
import { startBackground } from "./background.ts";
import { untilStopped } from "./drain.ts";
import { addressOf, scopeOf } from "./network/address.ts";
import { openServer, type ServeOptions } from "./open.ts";
import { openOverStore } from "./open-store.ts";
import type { SharedCloud } from "./portal/backends/kinds.ts";
import { openPortal } from "./portal/open.ts";
import { openLiveConfiguration } from "./reload/live-configuration.ts";
import { openObservers } from "./telemetry/observers.ts";
import type { Terminal } from "./terminal/terminal.ts";

/** Serves until a signal; resolves with the exit code. Lines for people go to stderr, the log to stdout. */
export async function runServer(options: ServeOptions, terminal: Terminal): Promise<number> {
  terminal.onLostOutput((reason) =>
    terminal.err(`tollgate: The log loses lines: ${reason}. Calls are still answered.\n`),
  );
  const { opened, store } = await openOverStore(options, terminal);
  const { engine, config, file } = opened;
  let flush = () => {};
  try {
    const { log, telemetry, follow, ...lines } = await openObservers(opened, options, terminal);
    flush = lines.flush;
    const shared = new Map<string, SharedCloud>();
    let listenAddress = scopeOf(options, config);
    const origin = () => addressOf(listenAddress);
    const onCloud = (code: string, cloud: LocalCloud) => void shared.set(code, cloud);
    const onSecret = ({ operation, user_id, token_id, target, event_id }: AuditEntry) =>
      log.info({ operation, user_id, token_id, target, event_id }, "a secret was given out");
    const requested = options.file;
    const configuration = openLiveConfiguration({ opened, requested, listenAddress: () => listenAddress, terminal });
    configuration.follow(follow);
    const { credentialSource } = configuration;
    const sources = { priceSource: opened.renewable.source, credentialSource };
    const portal =
      store && (await openPortal(terminal, { engine, config, file, origin, onCloud, onSecret, ...sources, ...store }));
    await portal?.loadSettings();
    const served = { options, opened: configuration.opened, store, portal, shared, log, telemetry, terminal };
    const server = await openServer(served);
    listenAddress = { ...listenAddress, port: server.port }; // port 0 is any free one
    const stopBackground = startBackground({ options, configuration, store, portal, log, terminal });
    const { graceMs = 30_000, drainDelayMs: delayMs } = options;
    const { stoppedBy } = server;
    options.worker?.report({ kind: "serving" });
    return await untilStopped({ engine, server, log, terminal, graceMs, delayMs, stoppedBy }).finally(async () => {
      await stopBackground();
      await telemetry.close();
    });
  } catch (thrown) {
    await engine.close({ graceMs: 0 });
    throw thrown;
  } finally {
    flush();
  }
}
