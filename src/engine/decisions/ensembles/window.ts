/** Decisions that a share and a sum are reckoned over. */
export const windowSize = 1_000;

/** What escalations may be and cost, over the last thousand decisions. */
export interface EscalationLimits {
  /** Share of the last thousand decisions. */
  readonly share: number;
  /** Nano-dollars together; no bound where absent. */
  readonly sum?: number | undefined;
}

/** An escalation under way. */
export interface Escalation {
  /** Puts the real cost, in nano-dollars, in place of the most that it might cost. */
  close(cost: number): void;
}

/** The last thousand decisions: which of them were escalated, and what that cost. */
export interface EscalationWindow {
  /** Notes so many decisions. */
  note(decisions: number): void;
  /** How many of the last decisions may still be escalated. */
  roomFor(limits: EscalationLimits): number;
  /** Escalates so many of the decisions that were noted last, at this cost at most; `undefined` where the sum has no room for it. */
  open(decisions: number, most: number, limits: EscalationLimits): Escalation | undefined;
}

/** A window without decisions. */
export function createEscalationWindow(): EscalationWindow {
  const isEscalated = new Uint8Array(windowSize);
  const costs = new Float64Array(windowSize);
  let noted = 0;
  let escalated = 0;
  let spent = 0;
  return {
    note(decisions) {
      for (let each = 0; each < decisions; each++) {
        const slot = noted++ % windowSize;
        escalated -= isEscalated[slot] as number;
        spent -= costs[slot] as number;
        isEscalated[slot] = 0;
        costs[slot] = 0;
      }
    },
    roomFor: ({ share }) => Math.max(0, Math.floor(share * windowSize) - escalated),
    open(decisions, most, { sum = Infinity }) {
      if (spent + most > sum) return undefined;
      const first = Math.max(0, noted - decisions);
      for (let each = first; each < noted; each++) {
        escalated += 1 - (isEscalated[each % windowSize] as number);
        isEscalated[each % windowSize] = 1;
      }
      const slot = first % windowSize;
      costs[slot] = (costs[slot] as number) + most;
      spent += most;
      let open = most;
      return {
        close(cost) {
          if (noted - first > windowSize) return; // it has left the window
          costs[slot] = (costs[slot] as number) + cost - open;
          spent += cost - open;
          open = cost;
        },
      };
    },
  };
}
