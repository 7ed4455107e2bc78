import type { Calibration } from "../../../api/calibrations/calibrations.ts";
import { createEscalationWindow, type EscalationWindow } from "../../../decisions/ensembles/window.ts";
import type { Records } from "../../../ports/records.ts";
import { createBoundedCache } from "../../../runtime/bounded-cache.ts";
import type { MaybePromise } from "../../../runtime/maybe-promise.ts";

/** What decisions know for an engine's life, whatever it is configured to. */
export interface DecisionMemory {
  /** Absent without a store. */
  readonly calibrations: CalibrationLookup | undefined;
  /** The last decisions of a scope, and which of them were escalated. */
  escalationsOf(scope: string): EscalationWindow;
}

/** Finds stored calibration maps. */
export interface CalibrationLookup {
  /** By id; synchronous for one that is remembered, also where there is none. */
  find(id: string): MaybePromise<Calibration | undefined>;
}

/** Scopes whose last decisions are remembered: 9 kB each. */
const mostWindows = 1_000;
/** Questions that are remembered, with their map or without one. */
const remembered = 10_000;
const kinds = ["calibration"] as const;

/** A memory without decisions, over the records of a store. */
export function createDecisionMemory(records: Records | undefined): DecisionMemory {
  const windows = createBoundedCache<EscalationWindow>(mostWindows);
  return {
    calibrations: records && createLookup(records),
    escalationsOf(scope) {
      const window = windows.get(scope) ?? createEscalationWindow();
      windows.set(scope, window);
      return window;
    },
  };
}

/** The maps in a store; what was read is forgotten whenever one changes, in this process or another. */
function createLookup(records: Records): CalibrationLookup {
  const known = createBoundedCache<{ readonly map: Calibration | undefined }>(remembered);
  let stamp = records.stamp(kinds);
  return {
    find(id) {
      const current = records.stamp(kinds);
      if (current !== stamp) {
        known.clear();
        stamp = current;
      }
      const found = known.get(id);
      if (found) return found.map;
      const note = (stored: { readonly record: Calibration } | undefined) => {
        if (stamp === current) known.set(id, { map: stored?.record }); // else it may be from before a change
        return stored?.record;
      };
      const stored = records.get("calibration", id);
      return stored instanceof Promise ? stored.then(note) : note(stored);
    },
  };
}
