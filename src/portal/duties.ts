import { hear } from "../ports/hear.ts";
import type { Clock } from "../ports.ts";
import type { AreaTools } from "./area.ts";
import { roundMs } from "./backups/rounds.ts";
import { noticeExpiring } from "./watch/tokens.ts";

const hour = 3_600_000;

/** Work that a portal does of itself, again and again: it must be safe to do twice, and in several processes at once. */
export interface Duty {
  /** For the log. */
  readonly name: string;
  /** Milliseconds from the end of one time to the next. */
  readonly everyMs: number;
  perform(): Promise<void>;
}

/** What a portal does of itself; a duty is a line here. */
export function dutiesOf({ backups, records, notify, clock }: AreaTools): readonly Duty[] {
  return [
    { name: "backups", everyMs: roundMs, perform: () => backups.go() },
    { name: "ending tokens", everyMs: hour, perform: () => noticeExpiring(records, notify, clock.now()) },
  ];
}

/** Told of a duty that failed; it is tried again at its next time, also when the report fails itself. */
export type DutyReport = (error: unknown, duty: string) => void;

/** Performs duties, each at once and then again and again, until the returned function is called; that waits for what is under way. */
export function startDuties(duties: readonly Duty[], clock: Clock, report: DutyReport): () => Promise<void> {
  let isStopped = false;
  const underway = new Map<Duty, Promise<void>>();
  const waiting = new Map<Duty, () => void>();
  const perform = (duty: Duty): void => {
    waiting.delete(duty);
    const work = duty
      .perform()
      .catch((thrown: unknown) => hear(() => report(thrown, duty.name)))
      .finally(() => {
        underway.delete(duty);
        if (!isStopped)
          waiting.set(
            duty,
            clock.after(duty.everyMs, () => perform(duty)),
          );
      });
    underway.set(duty, work);
  };
  for (const duty of duties) perform(duty);
  return async () => {
    isStopped = true;
    for (const takeBack of waiting.values()) takeBack();
    await Promise.all(underway.values());
  };
}
