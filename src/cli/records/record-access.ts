import type { Customer, Project, VirtualKey } from "../../engine/api/governance.ts";
import { GatewayError, isGatewayError } from "../../engine/errors.ts";
import { isIdOf } from "../../engine/policy/ids.ts";
import type { StoreFunctions } from "../../server/store/with-store.ts";

/** A record of any of the three kinds. */
export type AnyRecord = Customer | Project | VirtualKey;

/** The kinds of records, as the words of the command line. */
export type RecordWord = "key" | "project" | "customer";

/** What all kinds can do. */
export interface RecordAccess {
  get(id: string): Promise<AnyRecord>;
  list(question: {
    readonly where?: object | undefined;
    readonly limit: number;
    readonly after: string | undefined;
  }): Promise<{ readonly items: readonly AnyRecord[]; readonly next?: string | undefined }>;
  update(id: string, patch: object | ((present: AnyRecord) => object)): Promise<AnyRecord>;
  remove(id: string): Promise<void>;
  resetLimits(id: string, reset: { readonly reason: string; readonly window?: string | undefined }): Promise<AnyRecord>;
}

/** The records of a kind. */
export function recordAccessOf({ keys, projects, customers }: StoreFunctions, word: RecordWord): RecordAccess {
  return { key: keys, project: projects, customer: customers }[word] as RecordAccess; // each checks what it is given
}

/** All records of a kind, page by page, in order of creation. */
export async function* readAll(records: RecordAccess, where: object = {}): AsyncGenerator<AnyRecord> {
  let after: string | undefined;
  do {
    const page: Awaited<ReturnType<RecordAccess["list"]>> = await records.list({ where, limit: 1_000, after });
    yield* page.items;
    after = page.next;
  } while (after !== undefined);
}

/** The record with this id, or else the only one with this name. */
export async function findRecord(store: StoreFunctions, word: RecordWord, text: string): Promise<AnyRecord> {
  const records = recordAccessOf(store, word);
  const byId = await records.get(text).catch((thrown: unknown) => {
    if (isGatewayError(thrown) && thrown.code === "not_found") return undefined;
    throw thrown;
  });
  if (byId !== undefined) return byId;
  const named: AnyRecord[] = [];
  const wanted = text.normalize("NFC");
  for await (const record of readAll(records)) if (record.name.normalize("NFC") === wanted) named.push(record);
  const [first, ...others] = named;
  if (first === undefined) throw new GatewayError("not_found", `There is no ${word} with the id or name ${text}.`);
  if (others.length === 0) return first;
  const ids = named.map(({ id }) => id).join(", ");
  throw new GatewayError("conflict", `${named.length} records have the name ${text}; say which by its id: ${ids}.`);
}

/** The id that is meant; the ledger remembers those of records that were deleted. */
export async function findId(store: StoreFunctions, word: RecordWord, text: string): Promise<string> {
  try {
    return (await findRecord(store, word, text)).id;
  } catch (thrown) {
    if (isGatewayError(thrown) && thrown.code === "not_found" && isIdOf(word, text)) return text;
    throw thrown;
  }
}
