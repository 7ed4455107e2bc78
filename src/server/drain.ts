import { setTimeout as after } from "node:timers/promises";
import type { Logger } from "pino";
import type { Engine } from "../http/create-engine.ts";
import type { Listening } from "./server.ts";
import type { Terminal } from "./terminal/terminal.ts";

/** What is to be stopped, and how patiently. */
export interface Stoppable {
  readonly engine: Pick<Engine, "announceClose" | "close" | "inFlight">;
  readonly server: Pick<Listening, "announceClose" | "stopListening" | "close">;
  readonly log: Pick<Logger, "info">;
  readonly terminal: Pick<Terminal, "onSignal" | "err" | "now">;
  readonly graceMs: number;
  /** Milliseconds between the signal and the end of the port, in which load balancers learn of it. */
  readonly delayMs?: number | undefined;
  /** Ends the hold on signals of the start, and returns the one that came meanwhile. */
  readonly stoppedBy?: (() => keyof typeof exitCodes | undefined) | undefined;
}

/**
 * A second signal within this time is the first one again: a terminal signals the whole group, and npm passes its own on to a child
 * that has already had it.
 */
const sameSignalMs = 500;

/** Milliseconds for which connections that were open when the port closed are still served: a load balancer uses them up meanwhile. */
const lastRequestsMs = 1_000;

const exitCodes = { SIGINT: 130, SIGTERM: 143 } as const;

/**
 * Waits for a signal and drains: for `delayMs` it still answers, but says that it is not ready and ends connections; then it accepts no new ones, finishes the requests in flight within the grace period and cancels the
 * rest. Resolves with 0, or with the signal's exit code immediately after a second signal.
 */
export function untilStopped(stoppable: Stoppable): Promise<number> {
  const { engine, server, log, terminal, graceMs, delayMs = 0, stoppedBy } = stoppable;
  return new Promise((resolve, reject) => {
    let stoppedAt: number | undefined;
    const drain = async () => {
      if (delayMs > 0) {
        log.info({ drain_delay: delayMs }, "not ready any more");
        engine.announceClose();
        server.announceClose();
        await after(delayMs);
        server.stopListening();
        await after(lastRequestsMs);
      }
      const { inFlight } = engine;
      log.info({ in_flight: inFlight }, "draining");
      if (inFlight > 0)
        terminal.err(
          `Finishing ${inFlight === 1 ? "1 request" : `${inFlight} requests`}; a second signal stops immediately.\n`,
        );
      const written = server.close(graceMs + 1_000); // a little longer than the engine's, so that its last words get out
      await engine.close({ graceMs });
      await written;
      log.info("stopped");
      return 0;
    };
    const stop = (signal: keyof typeof exitCodes) => {
      const now = terminal.now();
      if (stoppedAt === undefined) {
        stoppedAt = now;
        drain().then(resolve, reject);
      } else if (now - stoppedAt >= sameSignalMs) {
        resolve(exitCodes[signal]);
      }
    };
    terminal.onSignal(stop);
    // Only now: a signal that the system delivers while Node listens for none of its kind is lost, or ends the process.
    const early = stoppedBy?.();
    if (early !== undefined) stop(early);
  });
}
