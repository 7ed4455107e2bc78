import type { WorkerChannel } from "../worker-store/messages.ts";
import type { ReloadOutcome } from "./process-file.ts";

/** What a worker reports to its supervisor. */
export type WorkerReport =
  /** It takes requests. */
  | { readonly kind: "serving" }
  /** How a reload ended. */
  | { readonly kind: "reloaded"; readonly outcome: ReloadOutcome }
  /** Where its own metrics are. */
  | { readonly kind: "metrics"; readonly address: string };

/** What a worker knows of itself. */
export interface WorkerRole {
  /** From 1. */
  readonly number: number;
  /** True for the one whose start is printed. */
  readonly announces: boolean;
  report(message: WorkerReport): void;
  /** To the supervisor, for a store that only that one writes. */
  readonly channel: WorkerChannel;
}
