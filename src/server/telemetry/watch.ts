import type { Logger } from "pino";
import type { Engine } from "../../http/create-engine.ts";
import type { OutageLog } from "../logging/outage-log.ts";
import { createDescriptorWarning, readDescriptors } from "./descriptors.ts";

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
export function watchServer(watched: ServerWatch, everyMs = lookMs): () => void {
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
