import { GatewayError } from "../engine/errors.ts";
import type { RecordKind, RecordKinds, Records } from "../engine/ports/records.ts";
import type { StoredTask } from "../operations/records/tasks.ts";
import { readAll } from "./tenancy/record-access.ts";

const day = 86_400_000;

/** How long the audit log and tasks are kept. */
export interface PortalRetention {
  /** Days for which an entry of the audit log is kept. Default: 400. */
  readonly auditDays: number;
  /** The most entries of the audit log, of which the oldest go first. Default: 1,000,000. */
  readonly auditEntries: number;
  /** Days for which a task is kept after it has ended, and a draft after it was made. Default: 90. */
  readonly taskDays: number;
}

const defaults: PortalRetention = { auditDays: 400, auditEntries: 1_000_000, taskDays: 90 };

/** Returns the retention with its defaults. Throws `invalid_configuration` for what is no positive number. */
export function readRetention(settings: Partial<PortalRetention> = {}): PortalRetention {
  for (const [name, value] of Object.entries(settings)) {
    const param = `retention.${name}`;
    if (!Object.hasOwn(defaults, name))
      throw new GatewayError("invalid_configuration", `\`${param}\`: is not a known option.`, { param });
    if (value !== undefined && !(value > 0))
      throw new GatewayError("invalid_configuration", `\`${param}\`: must be greater than 0.`, { param });
  }
  const { auditDays, auditEntries, taskDays } = settings;
  return {
    auditDays: auditDays ?? defaults.auditDays,
    auditEntries: auditEntries ?? defaults.auditEntries,
    taskDays: taskDays ?? defaults.taskDays,
  };
}

/** Removes entries of the audit log and tasks that are past their time, the oldest first. `now` is in milliseconds since the epoch. */
export async function forgetOld(records: Records, retention: PortalRetention, now: number): Promise<void> {
  const { auditDays, auditEntries, taskDays } = retention;
  let beyond = (await records.count("audit")) - auditEntries;
  const auditEnd = now - auditDays * day;
  await removeOldest(records, "audit", ({ created_at }) => beyond-- > 0 || Date.parse(created_at) < auditEnd);
  await removeOldest(records, "session", ({ ends_at }) => Date.parse(ends_at) <= now || "keep");
  const alertEnd = now - alertDays * day;
  await removeOldest(records, "alert", ({ resolved_at }) => isBefore(resolved_at, alertEnd) || "keep");
  const taskEnd = now - taskDays * day;
  const scheduled = new Set((await readAll(records, "task_schedule")).map(({ id }) => id));
  await removeOldest(
    records,
    "task",
    (task) =>
      (scheduled.has(task.id) ? "keep" : isOver(task, taskEnd)) || (Date.parse(task.created_at) < taskEnd && "keep"),
  );
}

/** Days for which an alert is kept after it was resolved. */
const alertDays = 30;

/** Running tasks stay, until another call has found them abandoned. */
function isOver({ state, created_at, ended_at }: StoredTask, before: number): boolean {
  return state !== "running" && Date.parse(ended_at ?? created_at) < before;
}

function isBefore(at: string | null, end: number): boolean {
  return at !== null && Date.parse(at) < end;
}

/** Removes records in order of creation: `true` removes one, `"keep"` goes on to the next, and `false` ends it. */
async function removeOldest<Kind extends RecordKind>(
  records: Records,
  kind: Kind,
  judge: (record: RecordKinds[Kind]) => boolean | "keep",
): Promise<void> {
  for (let after: string | undefined; ; ) {
    const page = await records.list(kind, { limit: 100, after });
    for (const { record, version } of page.records) {
      const verdict = judge(record);
      if (verdict === false) return;
      if (verdict === true) await records.remove(kind, record.id, version); // moved: it is in use
    }
    if (page.next === undefined) return;
    after = page.next;
  }
}
