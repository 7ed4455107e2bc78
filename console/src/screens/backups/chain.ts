import type { AnswerOf } from "../../../../src/operations/calls.ts";
import type { Areas } from "../../../../src/operations/portal/table.ts";

/** A backup as the list has it. */
export type BackupEntry = AnswerOf<Areas["backups"]["list"]>[number];

/** When a backup was made, or is to be made, in milliseconds since 1970. */
export function timeOf({ processed_date, schedule_date }: BackupEntry): number {
  return Date.parse(processed_date ?? schedule_date ?? "") || 0;
}

/** The chain of a backup, oldest first: the last full one of the same resource before it, and all that build on it. */
export function chainOf(backup: BackupEntry, all: readonly BackupEntry[]): readonly BackupEntry[] {
  const same = all
    .filter(({ resource_id, is_available }) => resource_id === backup.resource_id && is_available)
    .sort((one, other) => timeOf(one) - timeOf(other));
  const at = same.findIndex(({ id }) => id === backup.id);
  if (at === -1) return [backup];
  const begin = same.slice(0, at + 1).findLastIndex(({ is_full }) => is_full);
  const next = same.slice(at + 1).findIndex(({ is_full }) => is_full);
  return same.slice(Math.max(begin, 0), next === -1 ? undefined : at + 1 + next);
}

const dayMs = 86_400_000;

/** One day of a resource: its backups, and whether there should have been one. */
export interface BackupDay {
  readonly at: number;
  readonly backups: readonly BackupEntry[];
  /** True for a day since the first backup that has passed without one. */
  readonly isGap: boolean;
}

/** The days of a resource up to the one of `now`, in UTC; the present day is no gap, since it is not over. */
export function daysOf(backups: readonly BackupEntry[], count: number, now: number): readonly BackupDay[] {
  const today = Math.floor(now / dayMs) * dayMs;
  const first = Math.min(...backups.filter(({ is_available }) => is_available).map(timeOf));
  return Array.from({ length: count }, (_unused, position) => {
    const at = today - (count - 1 - position) * dayMs;
    const own = backups.filter((one) => timeOf(one) >= at && timeOf(one) < at + dayMs);
    const isDone = own.some(({ is_available }) => is_available);
    return { at, backups: own, isGap: !isDone && at < today && at + dayMs > first };
  });
}
