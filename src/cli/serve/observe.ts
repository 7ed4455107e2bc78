import type { Logger } from "pino";
import type { Opened } from "../open-engine.ts";
import { scrubberOf, secretsIn } from "../scrub.ts";
import type { Terminal } from "../terminal.ts";
import { openJournal } from "./journal.ts";
import { openTelemetry, type Telemetry } from "./telemetry.ts";

/** Those who watch a server. */
export interface Observers {
  readonly log: Logger;
  readonly telemetry: Telemetry;
}

/** Opens the log, and what is told to OpenTelemetry and Prometheus. No secret of the configuration or the environment gets into the log. */
export async function openObservers(
  opened: Opened,
  logLevel: string | undefined,
  terminal: Terminal,
): Promise<Observers> {
  const { engine, config, secrets } = opened;
  const log = openJournal(engine, {
    level: logLevel ?? config.logLevel ?? "info",
    isForPeople: terminal.isSeen,
    write: terminal.out,
    now: terminal.now,
    scrub: scrubberOf([...secrets, ...secretsIn(terminal.env)], engine.keyPrefix),
  });
  return { log, telemetry: await openTelemetry(opened, log) };
}
