import type { Logger } from "pino";
import type { OpenedEngine } from "../../open-engine.ts";
import { scrubberOf, secretsIn } from "../../terminal/redaction.ts";
import type { Terminal } from "../../terminal/terminal.ts";
import { bufferLines } from "../logging/line-buffer.ts";
import { openRequestLog } from "../logging/request-log.ts";
import { openTelemetry, type Telemetry } from "./telemetry.ts";

/** Those who watch a server. */
export interface Observers {
  readonly log: Logger;
  readonly telemetry: Telemetry;
  /** Writes the last lines of the log. */
  readonly flush: () => void;
}

/** Opens the log, OpenTelemetry and Prometheus. The log redacts every secret of the configuration and the environment. */
export async function openObservers(
  opened: OpenedEngine,
  logLevel: string | undefined,
  terminal: Terminal,
): Promise<Observers> {
  const { engine, config, secrets } = opened;
  const { write, flush } = bufferLines(terminal.out);
  const log = openRequestLog(engine, {
    level: logLevel ?? config.logLevel ?? "info",
    isForPeople: terminal.isOutputTty,
    write,
    now: terminal.now,
    scrub: scrubberOf([...secrets, ...secretsIn(terminal.env)], engine.keyPrefix),
  });
  return { log, telemetry: await openTelemetry(opened, log), flush };
}
