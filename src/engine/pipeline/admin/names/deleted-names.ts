import type { DeletedName, Records, StoredKey } from "../../../ports/records.ts";

/** What is kept of a deleted record. */
type NamedRecord = Pick<StoredKey, "id" | "name" | "metadata">;

/** Keeps the name of a key, project or customer that was deleted at `now`, so that reports of what it used go on showing it. */
export async function keepName(
  records: Pick<Records, "put">,
  { id, name, metadata: { reseller, client_id } }: NamedRecord,
  now: number,
): Promise<void> {
  const deleted: DeletedName = { id, name, metadata: { reseller, client_id }, created_at: new Date(now).toISOString() };
  await records.put("deleted_name", deleted, 0); // ids are not given twice: one that is there is kept
}

/** The names of deleted keys, projects and customers by their ids. */
export async function readDeletedNames(records: Pick<Records, "list">): Promise<ReadonlyMap<string, string>> {
  const names = new Map<string, string>();
  let after: string | undefined;
  do {
    const page = await records.list("deleted_name", { limit: 1_000, after });
    for (const { record } of page.records) names.set(record.id, record.name);
    after = page.next;
  } while (after !== undefined);
  return names;
}
