import { warn } from "../../ports/hear.ts";
import { type BackupPolicySettings, readPolicies } from "./policy.ts";
import { goRound } from "./scheduler.ts";
import type { Works } from "./works.ts";

/** Milliseconds between two rounds. */
export const roundMs = 20_000;

/** The work of backups as this process does it. */
export interface Rounds {
  readonly works: Works;
  /** Goes one round; whoever asks while one is under way waits for the next. */
  go(): Promise<void>;
}

type Tools = Omit<Works, "policies" | "underway" | "hurry">;

/** Rounds, one at a time. Throws `invalid_configuration` for policies that cannot be followed. */
export function createRounds(tools: Tools, settings?: Readonly<Record<string, BackupPolicySettings>>): Rounds {
  const policies = readPolicies(settings);
  let running: Promise<void> = Promise.resolve();
  let isWorking = false;
  const go = () => {
    isWorking = true;
    running = running.catch(() => {}).then(() => goRound(works)); // whoever asked for the one before is told of its failure
    return running;
  };
  const works: Works = {
    ...tools,
    policies,
    underway: new Map(),
    hurry() {
      if (isWorking) go().catch(warn);
    },
  };
  return { works, go };
}
