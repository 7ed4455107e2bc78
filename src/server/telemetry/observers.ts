import { resolve } from "node:path";
import type { Logger } from "pino";
import type { Engine } from "../../http/create-engine.ts";
import { atomicBytes, bufferLines } from "../logging/line-buffer.ts";
import type { OutageLog } from "../logging/outage-log.ts";
import { recordPairs } from "../logging/pair-log.ts";
import { openRequestLog } from "../logging/request-log.ts";
import type { OpenedEngine } from "../open-engine.ts";
import type { WorkerRole } from "../reload/worker-role.ts";
import { scrubberOf, secretsIn } from "../terminal/redaction.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { createDescriptorWarning, readDescriptors } from "./descriptors.ts";
import { openTelemetry, type Telemetry } from "./telemetry.ts";

/** Milliseconds between two looks. */
const lookMs = 5_000;

/** Looks at descriptors are rarer: they read a folder with an entry for each connection. */
const looksPerDescriptors = 6;

/** What is looked at, and where it is said. */
export interface ServerWatch {
  readonly engine: Pick<Engine, "readiness">;
  readonly outages: OutageLog;
  readonly log: Pick<Logger, "warn">;
}

/** Asks the store and the counters every five seconds, so that an outage is written down also where no calls come. Returns what stops it. */
function watchServer(watched: ServerWatch, everyMs = lookMs): () => void {
  const look = createLook(watched);
  const timer = setInterval(() => void look(), everyMs).unref();
  return () => clearInterval(timer);
}

/** One look. What it asks tells its outcome by the event `dependency`. */
export function createLook({ engine, outages, log }: ServerWatch, read = readDescriptors): () => Promise<void> {
  const warningOf = createDescriptorWarning();
  let looks = 0;
  return async () => {
    outages.look();
    await engine.readiness();
    if (looks++ % looksPerDescriptors !== 0) return;
    const descriptors = await read();
    const warning = warningOf(descriptors);
    if (warning !== undefined) log.warn({ ...descriptors }, warning);
  };
}

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
