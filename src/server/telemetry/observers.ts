import { resolve } from "node:path";
import type { Logger } from "pino";
import { atomicBytes, bufferLines } from "../logging/line-buffer.ts";
import { recordPairs } from "../logging/pair-log.ts";
import { openRequestLog } from "../logging/request-log.ts";
import type { OpenedEngine } from "../open-engine.ts";
import type { WorkerRole } from "../reload/worker-role.ts";
import { scrubberOf, secretsIn } from "../terminal/redaction.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { openTelemetry, type Telemetry } from "./telemetry.ts";
import { watchServer } from "./watch.ts";

/** Those who watch a server. */
export interface Observers {
  readonly log: Logger;
  readonly telemetry: Telemetry;
  /** Takes the log level of a configuration over, and hides its secrets besides the former ones. */
  follow(next: OpenedEngine): void;
  /** Writes the last lines of the log. */
  readonly flush: () => void;
}

/** How a server is observed. */
interface ObserverOptions {
  /** Of the command line, which overrides the configuration. */
  readonly logLevel: string | undefined;
  readonly worker?: WorkerRole | undefined;
}

/** Opens the log, OpenTelemetry and Prometheus. The log redacts every secret of the configuration and the environment. */
export async function openObservers(
  opened: OpenedEngine,
  { logLevel, worker }: ObserverOptions,
  terminal: Terminal,
): Promise<Observers> {
  const { engine } = opened;
  const { write, flush } = bufferLines(terminal.out, worker && atomicBytes);
  const secrets = new Set([...opened.secrets, ...secretsIn(terminal.env)]);
  const levelOf = ({ config }: OpenedEngine) => logLevel ?? config.logLevel ?? "info";
  let scrub = scrubberOf(secrets, engine.keyPrefix);
  const { log, outages, setLevel } = openRequestLog(engine, {
    level: levelOf(opened),
    isForPeople: terminal.isOutputTty,
    write,
    now: terminal.now,
    backlog: opened.store?.ledger.backlog,
    scrub: (text) => scrub(text),
  });
  let { config } = opened;
  const reviewFile = () => config.cache?.review && resolve(terminal.folder, config.cache.review);
  recordPairs({ engine, file: reviewFile, log });
  const follow = (next: OpenedEngine) => {
    config = next.config;
    setLevel(levelOf(next));
    for (const secret of next.secrets) secrets.add(secret);
    scrub = scrubberOf(secrets, engine.keyPrefix);
  };
  const telemetry = await openTelemetry(opened, log, worker);
  const stopWatching = watchServer({ engine, outages, log });
  const close = () => {
    stopWatching();
    return telemetry.close();
  };
  return { log, telemetry: { ...telemetry, close }, follow, flush };
}
