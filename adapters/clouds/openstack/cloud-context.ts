import type { Abortable } from "../../../src/engine/runtime/abortable.ts";
import { msOf } from "../../shared/durations.ts";
import { deadlinesOf, type OperationDeadline, runWithDeadline } from "../shared/deadline.ts";
import { type Cloud, openCloud } from "./client/cloud.ts";
import type { OpenStackOptions } from "./client/options.ts";
import { openSender } from "./client/sender.ts";
import { openSessions } from "./client/sessions.ts";
import type { Undo } from "./quotas/quotas.ts";

const sixHours = 6 * 3_600_000;

/** A cloud and how operations on it run. */
export interface CloudContext {
  readonly cloud: Cloud;
  readonly options: OpenStackOptions;
  /** Runs an operation under the cloud's deadline and the caller's signal. */
  run<T>(call: { readonly signal: Abortable }, act: (deadline: OperationDeadline) => Promise<T>): Promise<T>;
  /** The same for work that goes on for hours, and looks at its progress at every `poll` milliseconds. */
  runLong<T>(
    call: { readonly signal: Abortable },
    act: (deadline: OperationDeadline, poll: number) => Promise<T>,
  ): Promise<T>;
  /** Takes something back, whether or not the caller still waits. */
  readonly undo: Undo;
  close(): Promise<void>;
}

/** Settles the options; nothing is asked before the first operation. */
export function openCloudContext(options: OpenStackOptions): CloudContext {
  const sender = openSender({ ...options, timeouts: deadlinesOf(options.timeouts) });
  const cloud = openCloud({ options, sender, sessions: openSessions(options, sender) });
  return {
    cloud,
    options,
    run: ({ signal }, act) => runWithDeadline({ ...sender.settings, signal }, act),
    runLong: ({ signal }, act) => {
      const { whole, poll } = options.backupTimes ?? {};
      const settings = { ...sender.settings, whole: msOf(whole, sixHours), signal };
      return runWithDeadline(settings, (deadline) => act(deadline, msOf(poll, 2_000)));
    },
    undo: (act) => runWithDeadline(sender.settings, act),
    close: () => sender.close(),
  };
}
