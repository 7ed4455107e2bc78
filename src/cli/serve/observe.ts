import type { Logger } from "pino";
import type { Opened } from "../open-engine.ts";
import { scrubberOf, secretsIn } from "../scrub.ts";
import type { Terminal } from "../terminal.ts";
import { openJournal } from "./journal.ts";
import { gatherLines } from "./lines.ts";
import { openTelemetry, type Telemetry } from "./telemetry.ts";

/** Those who watch a server. */
export interface Observers {
  readonly log: Logger;
  readonly telemetry: Telemetry;
  /** Writes the last lines of the log. */
  readonly flush: () => void;
}

/** Opens the log, and what is told to OpenTelemetry and Prometheus. No secret of the configuration or the environment gets into the log. */
export async function openObservers(
  opened: Opened,
  logLevel: string | undefined,
  terminal: Terminal,
): Promise<Observers> {
  const { engine, config, secrets } = opened;
  const { write, flush } = gatherLines(terminal.out);
  const log = openJournal(engine, {
    level: logLevel ?? config.logLevel ?? "info",
    isForPeople: terminal.isSeen,
    write,
    now: terminal.now,
    scrub: scrubberOf([...secrets, ...secretsIn(terminal.env)], engine.keyPrefix),
  });
  return { log, telemetry: await openTelemetry(opened, log), flush };
}
