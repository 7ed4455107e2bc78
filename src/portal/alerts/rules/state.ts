import type { StoredAlert } from "../../../operations/records/alerts/alerts.ts";

/** What the state of an alert consists of. */
export type AlertState = Pick<StoredAlert, "status" | "occurrence" | "opened_at" | "resolved_at" | "observers">;

/** What one observer sees of one subject. */
export interface AlertObservation {
  /** The process that looks, or `store` for what all processes see alike. */
  readonly observer: string;
  readonly isFiring: boolean;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** The state after an observation, and the message to users. */
export interface AlertStep {
  readonly state: AlertState;
  readonly message: "triggered" | "resolved" | undefined;
}

/** An observer that has said nothing for this long counts no more, in milliseconds: its process has ended. */
export const observerTtl = 5 * 60_000;

/** An observer says again what it sees after this long. */
const renewal = 2 * 60_000;

/**
 * Takes in an observation. An alert is open while at least one living observer sees its condition hold: it opens with the first and is
 * resolved with the last. Returns undefined where nothing is to be stored.
 */
export function observeAlert(present: AlertState | undefined, seen: AlertObservation): AlertStep | undefined {
  const before = present?.observers ?? {};
  const observers = observersAfter(before, seen);
  const isOpen = present?.status === "open";
  const at = new Date(seen.now).toISOString();
  const isHeld = Object.keys(observers).length > 0;
  if (isHeld && !isOpen) {
    const occurrence = (present?.occurrence ?? 0) + 1;
    const state: AlertState = { status: "open", occurrence, opened_at: at, resolved_at: null, observers };
    return { state, message: "triggered" };
  }
  if (present === undefined) return undefined;
  if (!isHeld && isOpen)
    return { state: { ...present, status: "resolved", resolved_at: at, observers }, message: "resolved" };
  return isOpen && isChanged(before, observers) ? { state: { ...present, observers }, message: undefined } : undefined;
}

function observersAfter(before: AlertState["observers"], { observer, isFiring, now }: AlertObservation) {
  const others = Object.entries(before).filter(([name, at]) => name !== observer && now - at < observerTtl);
  const last = Object.hasOwn(before, observer) ? before[observer] : undefined;
  const at = last !== undefined && now - last < renewal ? last : now;
  return Object.fromEntries(isFiring ? [...others, [observer, at] as const] : others);
}

function isChanged(before: AlertState["observers"], after: AlertState["observers"]): boolean {
  const names = Object.keys(after);
  return names.length !== Object.keys(before).length || names.some((name) => before[name] !== after[name]);
}
