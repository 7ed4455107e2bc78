import type { Abortable } from "../../../src/ports.ts";
import { runWork, type Work } from "../shared/work.ts";
import { type Cloud, openCloud } from "./cloud.ts";
import type { OpenStackOptions } from "./options.ts";
import type { Undo } from "./quotas.ts";
import { openSender } from "./sender.ts";
import { openSessions } from "./sessions.ts";

const sixHours = 6 * 3_600_000;

/** A cloud and how operations on it run. */
export interface Site {
  readonly cloud: Cloud;
  readonly options: OpenStackOptions;
  /** Runs an operation under the cloud's deadline and the caller's signal. */
  run<T>(call: { readonly signal: Abortable }, act: (work: Work) => Promise<T>): Promise<T>;
  /** The same for work that goes on for hours, and looks at its progress at every `poll` milliseconds. */
  runLong<T>(call: { readonly signal: Abortable }, act: (work: Work, poll: number) => Promise<T>): Promise<T>;
  /** Takes something back, whether or not the caller still waits. */
  readonly undo: Undo;
  close(): Promise<void>;
}

/** Settles the options; nothing is asked before the first operation. */
export function openSite(options: OpenStackOptions): Site {
  const sender = openSender(options);
  const cloud = openCloud({ options, sender, sessions: openSessions(options, sender) });
  return {
    cloud,
    options,
    run: ({ signal }, act) => runWork({ ...sender.terms, signal }, act),
    runLong: ({ signal }, act) => {
      const { whole = sixHours, poll = 2_000 } = options.backupTimes ?? {};
      return runWork({ ...sender.terms, whole, signal }, (work) => act(work, poll));
    },
    undo: (act) => runWork(sender.terms, act),
    close: () => sender.close(),
  };
}
