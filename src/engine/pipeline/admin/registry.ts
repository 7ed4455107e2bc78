import type { z } from "zod";
import {
  type Customer,
  CustomerDraft,
  CustomerPatch,
  isEverValid,
  type Project,
  ProjectDraft,
  ProjectPatch,
  type VirtualKey,
  VirtualKeyDraft,
  VirtualKeyPatch,
} from "../../api/governance.ts";
import { GatewayError } from "../../errors.ts";
import { draftCustomer, draftProject, patchKey, patchRecord, refusePastDates, showKey } from "../../policy/drafts.ts";
import type { BilledKind } from "../../policy/ids.ts";
import type { ListQuestion, RecordKind, RecordKinds, StoredKey, Where } from "../../ports/records.ts";
import { parserOf, readPatch } from "../call/parse.ts";
import { noRecord, removeStored, storeChange, storeNew } from "./names/store-record.ts";
import { type ResetRequest, resetRecord } from "./reset-limits.ts";
import {
  birthOf,
  forgetRetired,
  type KeyRotation,
  type MadeKey,
  mintRecord,
  type RegistryPorts,
  rotateKey,
  type WarnedRecord,
  warned,
} from "./rotate-key.ts";
import type { KeyWords } from "./words/key-words.ts";

export { readDeletedNames } from "./names/deleted-names.ts";
export { noRecord } from "./names/store-record.ts";
export type { KeyRotation, MadeKey, RegistryPorts, WarnedRecord } from "./rotate-key.ts";

/** One page of a list, in order of creation. */
export interface Page<Item> {
  readonly items: readonly Item[];
  /** Give it as `after` for the next page; absent on the last. */
  readonly next?: string | undefined;
}

/** Which page, and of which owner. */
export interface PageQuestion<Kind extends RecordKind> {
  /** At most one field. */
  readonly where?: Where<Kind> | undefined;
  /** 1 to 1,000; 100 by default. */
  readonly limit?: number | undefined;
  readonly after?: string | undefined;
}

/** Functions over one kind of record. Unknown ids are `not_found`, what others depend on is `conflict`, bad fields `invalid_request`. */
export interface RecordCollection<Kind extends RecordKind, Item, Draft, Patch, Made = WarnedRecord<Item>> {
  create(draft: Draft): Promise<Made>;
  get(id: string): Promise<Item>;
  list(question?: PageQuestion<Kind>): Promise<Page<Item>>;
  /**
   * Absent fields stay, lists are replaced as a whole, `null` removes a field. Holds from the next call on. A patch that depends
   * on the present record, such as a list with one more limit, is a function: it is called again when another change was faster.
   */
  update(id: string, patch: Patch | ((present: Item) => Patch)): Promise<WarnedRecord<Item>>;
  remove(id: string): Promise<void>;
  /** Begins the counts of its limits anew: what came before does not count. The reason stays with the limits and in the audit log. */
  resetLimits(id: string, reset: ResetRequest): Promise<Item>;
}

/** The functions over virtual keys. */
export interface Keys
  extends RecordCollection<
    "key",
    VirtualKey,
    z.input<typeof VirtualKeyDraft> & KeyWords,
    z.input<typeof VirtualKeyPatch>,
    MadeKey
  > {
  /**
   * Gives a key a new value, shown this once; its id, counters and history stay. The value of before is accepted for another
   * `overlap` milliseconds (a day unless given; 0 ends it at once).
   */
  rotate(id: string, rotation?: KeyRotation): Promise<MadeKey>;
}
export type Projects = RecordCollection<"project", Project, z.input<typeof ProjectDraft>, z.input<typeof ProjectPatch>>;
export type Customers = RecordCollection<
  "customer",
  Customer,
  z.input<typeof CustomerDraft>,
  z.input<typeof CustomerPatch>
>;

/** The records of an engine, as functions. */
export interface Registry {
  readonly keys: Keys;
  readonly projects: Projects;
  readonly customers: Customers;
}

/** The words of {@link KeyWords}. */
const keyWords: readonly (keyof KeyWords)[] = ["allow", "budget", "requests", "tokens", "hard"];

/** Records on one page. */
const mostListed = 1_000;

function badLimit(): GatewayError {
  const message = `\`limit\`: must be a whole number from 1 to ${mostListed}`;
  return new GatewayError("invalid_request", message, { param: "limit" });
}

/** The functions over customers, projects and keys. */
export function createRegistry(ports: RegistryPorts): Registry {
  const { clock } = ports;
  const birth = (kind: BilledKind) => birthOf(ports, kind);
  const customer = parserOf(CustomerDraft);
  const project = parserOf(ProjectDraft);
  const key = parserOf(VirtualKeyDraft, { words: keyWords });
  const keys = collectionOf<"key", VirtualKey, never>(ports, {
    kind: "key",
    make: unmade,
    patch: (record, patch) => patchDated(record, readPatch(VirtualKeyPatch, patch), clock.now()),
    show: showKey,
  });
  return {
    customers: collectionOf(ports, {
      kind: "customer",
      make: (draft) => draftCustomer(customer(draft), birth("customer")),
      patch: (record, patch) => patchRecord<Customer>(record, readPatch(CustomerPatch, patch), clock.now()),
      show: (record) => record,
    }),
    projects: collectionOf(ports, {
      kind: "project",
      make: (draft) => draftProject(project(draft), birth("project")),
      patch: (record, patch) => patchRecord<Project>(record, readPatch(ProjectPatch, patch), clock.now()),
      show: (record) => record,
    }),
    keys: {
      ...keys,
      async remove(id) {
        await keys.remove(id);
        await forgetRetired(ports, id);
      },
      rotate: (id, rotation) => rotateKey(ports, id, rotation),
      async create(draft) {
        const hasWords = keyWords.some((word) => (draft as KeyWords | undefined)?.[word] !== undefined);
        const read = key(hasWords ? (await import("./words/key-words.ts")).inRecordFields({ ...draft }) : draft);
        refusePastDates(read, clock.now());
        const { record, value } = mintRecord(ports, read, birth("key"));
        const { names } = await storeNew(ports, "key", record);
        return warned(ports, { key: showKey(record), value }, { fields: read, names });
      },
    },
  };
}

type AnyPatch = Readonly<Record<string, unknown>>;

interface CollectionRules<Kind extends BilledKind, Item, Draft> {
  readonly kind: Kind;
  readonly make: (draft: Draft) => RecordKinds[Kind];
  readonly patch: (record: RecordKinds[Kind], patch: AnyPatch) => RecordKinds[Kind];
  readonly show: (record: RecordKinds[Kind]) => Item;
}

function collectionOf<Kind extends BilledKind, Item, Draft>(
  ports: RegistryPorts,
  { kind, make, patch, show }: CollectionRules<Kind, Item, Draft>,
): RecordCollection<Kind, Item, Draft, AnyPatch> {
  const { records } = ports;
  const find = async (id: string) => {
    const found = await records.get(kind, id);
    if (!found) throw noRecord(kind, id);
    return found;
  };
  return {
    async create(draft) {
      const record = make(draft);
      const { names } = await storeNew(ports, kind, record);
      return warned(ports, show(record), { fields: record, names });
    },
    get: async (id) => show((await find(id)).record),
    async list(facts) {
      const { where, limit = 100, after } = facts ?? {};
      if (!(Number.isInteger(limit) && limit >= 1 && limit <= mostListed)) throw badLimit();
      const question: ListQuestion<Kind> = { where, limit, after };
      const page = await records.list(kind, question);
      return { items: page.records.map(({ record }) => show(record)), next: page.next };
    },
    async update(id, changes) {
      let asked: AnyPatch = {};
      const { record, names } = await storeChange(ports, async () => {
        const before = await find(id);
        asked = typeof changes === "function" ? changes(show(before.record)) : changes;
        return { kind, record: patch(before.record, asked), before: before.record, expected: before.version };
      });
      return warned(ports, show(record), { fields: asked, names });
    },
    resetLimits: async (id, reset) => show(await resetRecord(ports, { kind, id }, reset)),
    remove: (id) => removeStored(ports, kind, id),
  };
}

/** Returns a key with a patch applied. Throws `invalid_request` for a key that ends before it begins, and for new dates in the past. */
export function patchDated(key: StoredKey, patch: VirtualKeyPatch, now: number): StoredKey {
  refusePastDates(patch, now, key);
  const record = patchKey(key, patch, now);
  if (isEverValid(record)) return record;
  throw new GatewayError("invalid_request", "`expires_at`: must be after `starts_at`", { param: "expires_at" });
}

/** Keys are made by their own `create`, with the value that is shown once. */
function unmade(): never {
  throw new GatewayError("internal", "A key is made with its value.");
}
