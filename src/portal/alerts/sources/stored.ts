import type { RecordKind, RecordKinds, Records } from "../../../engine/ports/records.ts";
import type { StoredBackup } from "../../../operations/records/backups.ts";
import type { AlertContext, AlertFinding, AlertSource } from "./source.ts";

const minute = 60_000;
const day = 24 * 60 * minute;

/** A virtual key that ends soon, or has ended since the rule was made. */
export const keyExpiring: AlertSource = {
  ...{ permission: "ai-get", isShared: true, everyMs: 10 * minute },
  defaults: { days: 7 },
  find: async (context) =>
    findEach(context.records, "key", ({ id, name, active, expires_at, last4 }) =>
      active && isEnding(expires_at, context)
        ? { key: id, subject: id, params: { name, last4, ends_at: toInstant(expires_at) }, link: `/ai/keys/${id}` }
        : undefined,
    ),
};

/** An access token that ends soon, or has ended since the rule was made. */
export const tokenExpiring: AlertSource = {
  ...{ permission: "user_tokens-get", isShared: true, everyMs: 10 * minute },
  defaults: { days: 7 },
  find: async (context) =>
    findEach(context.records, "token", ({ id, name, user_id, ends_at, last4 }) =>
      isEnding(ends_at, context)
        ? {
            ...{ key: id, subject: id, link: `/users/${user_id}/tokens` },
            params: { name, last4, ends_at: toInstant(ends_at) },
          }
        : undefined,
    ),
};

/** A resource whose latest backup failed. */
export const backupFailed: AlertSource = {
  ...{ permission: "backups-get", isShared: true, everyMs: minute },
  defaults: {},
  async find({ records }) {
    const latest = new Map<string, StoredBackup>();
    await findEach(records, "backup", (backup) => {
      if (!isOver(backup)) return undefined;
      const name = `${backup.region}/${backup.resource_id}`;
      const present = latest.get(name);
      if (!present || present.scheduled_at <= backup.scheduled_at) latest.set(name, backup);
      return undefined;
    });
    return [...latest]
      .filter(([, { state }]) => state === "failed")
      .map(([key, { id, resource_id, resource_type, message }]) => ({
        ...{ key, subject: resource_id, link: `/backup/${id}` },
        params: { name: resource_id, resource_type, message: message ?? "" },
      }));
  },
};

/** Canceled backups say nothing of whether a resource can be backed up. */
function isOver({ state }: StoredBackup): boolean {
  return state === "failed" || state === "available" || state === "expired";
}

function isEnding(end: string | null | undefined, { params, since, now }: AlertContext): boolean {
  if (end === null || end === undefined) return false;
  const at = Date.parse(end);
  return at >= since && at <= now + (params.days ?? 0) * day;
}

function toInstant(end: string | null | undefined): string {
  return end === null || end === undefined ? "" : new Date(end).toISOString();
}

/** Looks at every record of a kind, page by page, and keeps what is found. */
async function findEach<Kind extends RecordKind>(
  records: Records,
  kind: Kind,
  find: (record: RecordKinds[Kind]) => AlertFinding | undefined,
): Promise<AlertFinding[]> {
  const found: AlertFinding[] = [];
  for (let after: string | undefined; ; ) {
    const page = await records.list(kind, { limit: 1_000, after });
    for (const { record } of page.records) {
      const finding = find(record);
      if (finding) found.push(finding);
    }
    if (page.next === undefined) return found;
    after = page.next;
  }
}
