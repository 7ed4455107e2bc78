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
import { isEmptyToSchema } from "../../api/no-json.ts";
import { GatewayError } from "../../errors.ts";
import { draftCustomer, draftProject, patchKey, patchRecord, showKey } from "../../policy/drafts.ts";
import { type BilledKind, idEntropy, makeId } from "../../policy/ids.ts";
import type { ListQuestion, PutOutcome, RecordKind, RecordKinds, StoredKey, Where } from "../../ports/records.ts";
import { retryOnConflict, versionConflict } from "../../runtime/version-conflict.ts";
import { parserOf } from "../call/parse.ts";
import {
  forgetRetired,
  type KeyRotation,
  type MadeKey,
  mintRecord,
  type RegistryPorts,
  rotateKey,
} from "./rotate-key.ts";

export type { KeyRotation, MadeKey, RegistryPorts } from "./rotate-key.ts";

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
export interface RecordCollection<Kind extends RecordKind, Item, Draft, Patch, Made = Item> {
  create(draft: Draft): Promise<Made>;
  get(id: string): Promise<Item>;
  list(question?: PageQuestion<Kind>): Promise<Page<Item>>;
  /**
   * Absent fields stay, lists are replaced as a whole, `null` removes a field. Holds from the next call on. A patch that depends
   * on the present record, such as a list with one more limit, is a function: it is called again when another change was faster.
   */
  update(id: string, patch: Patch | ((present: Item) => Patch)): Promise<Item>;
  remove(id: string): Promise<void>;
}

/** The functions over virtual keys. */
export interface Keys
  extends RecordCollection<
    "key",
    VirtualKey,
    z.input<typeof VirtualKeyDraft>,
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

/** Records on one page. */
const mostListed = 1_000;

function badLimit(): GatewayError {
  const message = `\`limit\`: must be a whole number from 1 to ${mostListed}`;
  return new GatewayError("invalid_request", message, { param: "limit" });
}

/** The functions over customers, projects and keys. */
export function createRegistry(ports: RegistryPorts): Registry {
  const { records, clock, entropy } = ports;
  const birth = (kind: BilledKind) => ({ id: makeId(kind, entropy(idEntropy)), now: clock.now() });
  const customer = parserOf(CustomerDraft);
  const project = parserOf(ProjectDraft);
  const key = parserOf(VirtualKeyDraft);
  const keys = collectionOf<"key", VirtualKey, never>(ports, {
    kind: "key",
    make: unmade,
    patch: (record, patch) => dated(patchKey(record, readPatch(VirtualKeyPatch, patch), clock.now())),
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
        const { record, value } = mintRecord(ports, key(draft), birth("key"));
        accept("key", await records.put("key", record, 0));
        return { key: showKey(record), value };
      },
    },
  };
}

type AnyPatch = Readonly<Record<string, unknown>>;

interface CollectionRules<Kind extends RecordKind, Item, Draft> {
  readonly kind: Kind;
  readonly make: (draft: Draft) => RecordKinds[Kind];
  readonly patch: (record: RecordKinds[Kind], patch: AnyPatch) => RecordKinds[Kind];
  readonly show: (record: RecordKinds[Kind]) => Item;
}

function collectionOf<Kind extends RecordKind, Item, Draft>(
  { records }: RegistryPorts,
  { kind, make, patch, show }: CollectionRules<Kind, Item, Draft>,
): RecordCollection<Kind, Item, Draft, AnyPatch> {
  const find = async (id: string) => {
    const found = await records.get(kind, id);
    if (!found) throw new GatewayError("not_found", `There is no ${nameKind(kind)} \`${id}\`.`, { param: "id" });
    return found;
  };
  return {
    async create(draft) {
      const record = make(draft);
      accept(kind, await records.put(kind, record, 0));
      return show(record);
    },
    get: async (id) => show((await find(id)).record),
    async list(facts) {
      const { where, limit = 100, after } = facts ?? {};
      if (!(Number.isInteger(limit) && limit >= 1 && limit <= mostListed)) throw badLimit();
      const question: ListQuestion<Kind> = { where, limit, after };
      const page = await records.list(kind, question);
      return { items: page.records.map(({ record }) => show(record)), next: page.next };
    },
    update: (id, changes) =>
      retryOnConflict(async () => {
        const { record, version } = await find(id);
        const changed = patch(record, typeof changes === "function" ? changes(show(record)) : changes);
        const outcome = await records.put(kind, changed, version);
        if (outcome.kind === "moved") return versionConflict; // the change is applied to what they wrote
        accept(kind, outcome);
        return show(changed);
      }),
    async remove(id) {
      const outcome = await records.remove(kind, id);
      if (outcome.kind === "missing") await find(id);
      if (outcome.kind !== "needed") return;
      const message = `The ${nameKind(kind)} \`${id}\` still has ${countKind(outcome.count, outcome.by)}.`;
      throw new GatewayError("conflict", message);
    },
  };
}

const words: Readonly<Record<string, string>> = { key: "virtual key" };

/** The name of a kind in a sentence. */
export function nameKind(kind: RecordKind): string {
  return words[kind] ?? kind.replaceAll("_", " ");
}

/** A count of a kind in a sentence. */
export function countKind(count: number, kind: RecordKind): string {
  return `${count} ${nameKind(kind)}${count === 1 ? "" : "s"}`;
}

function accept(kind: RecordKind, outcome: PutOutcome): void {
  if (outcome.kind === "dangling") {
    const message = `\`${outcome.field}\`: there is no such ${nameKind(outcome.field === "project_id" ? "project" : "customer")}.`;
    throw new GatewayError("invalid_request", message, { param: outcome.field });
  }
  if (outcome.kind !== "stored") throw new GatewayError("conflict", `The ${nameKind(kind)} is there already.`);
}

/** A key that is valid at some time; refuses one that ends before it begins. */
function dated(record: StoredKey): StoredKey {
  if (isEverValid(record)) return record;
  throw new GatewayError("invalid_request", "`expires_at`: must be after `starts_at`", { param: "expires_at" });
}

/** Patches keep their nulls: they take a field away. */
function readPatch<Schema extends z.ZodType>(schema: Schema, patch: unknown): z.output<Schema> {
  if (isEmptyToSchema(patch)) throw refusePatch(patch);
  return parserOf(schema, { keepsNulls: true })(patch);
}

/** A patch from an async function is refused, so its rejection is ignored. */
function refusePatch(patch: unknown): GatewayError {
  if (patch instanceof Promise) patch.catch(() => {});
  const message = "`patch`: must be an object, or a function that returns one; a promise has to be awaited before";
  return new GatewayError("invalid_request", message, { param: "patch" });
}

/** Keys are made by their own `create`, with the value that is shown once. */
function unmade(): never {
  throw new GatewayError("internal", "A key is made with its value.");
}
