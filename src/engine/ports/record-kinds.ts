import type { Calibration } from "../api/calibrations/calibrations.ts";
import type { Customer, Project } from "../api/governance.ts";
import type { CallRecord } from "./call-records.ts";
import type { RetiredKey, StoredKey } from "./key-records.ts";
import type { StoredToolApprovals } from "./tools/approvals.ts";

/** The name that a deleted key, project or customer had, for reports of what it used; its id is the one of that record. */
export interface DeletedName {
  /** The id of the deleted record. */
  readonly id: string;
  /** Its name. */
  readonly name: string;
  /** The tenant that it was of, as records of the engine have it. */
  readonly metadata: { readonly reseller?: string | undefined; readonly client_id?: string | undefined };
  /** When it was deleted. */
  readonly created_at: string;
}

/** A secret of the engine's own, shared by all processes over a store; never shown. */
export interface EngineSecret {
  /** What it is for. */
  readonly id: string;
  readonly created_at: string;
  /** Base64. */
  readonly value: string;
}

/** A user of a layer above, as far as the engine reads it: whether keys that are bound to it may be used. That layer adds its own fields. */
export interface UserRecord {
  /** Unique among users. */
  readonly id: string;
  /** When it was created, RFC 3339. */
  readonly created_at: string;
  /** False: its keys are refused. */
  readonly enabled: boolean;
}

/** A tenant of a layer above, as far as the engine reads it: whether its keys may be used. That layer adds its own fields. */
export interface TenantRecord {
  /** Unique among tenants. */
  readonly id: string;
  /** When it was created, RFC 3339. */
  readonly created_at: string;
  /** As refusals call it. */
  readonly name: string;
  /** False: its keys are refused. */
  readonly enabled: boolean;
  /** In the bin: its keys are refused. */
  readonly status: "active" | "bin";
}

/** An entry of the audit log, with the fields that the engine writes. A layer above adds its own, which are optional. */
export interface AuditLogRecord {
  /** Unique among entries. */
  readonly id: string;
  /** When it was created, RFC 3339. */
  readonly created_at: string;
  /** The tenant that the change was in; null for none. */
  readonly reseller: string | null;
  readonly client_id: string | null;
  /** Who asked for it, and by which token; null for the system itself. */
  readonly user_id: string | null;
  readonly token_id: string | null;
  /** `area.name` of the operation. */
  readonly operation: string;
  /** What was changed, by the names of the fields that identify it. */
  readonly target: Readonly<Record<string, string>>;
  /** The id of what was changed. */
  readonly target_id?: string | null | undefined;
  /** Names of the fields that were written. */
  readonly changed?: readonly string[] | undefined;
  /** Why, as the caller said it. */
  readonly reason?: string | undefined;
  /** The region that was named; empty for none. */
  readonly region: string;
  /** `ok`, or the code of the error. */
  readonly outcome: string;
  readonly event_id: string;
}

/** The engine's own records, by kind. */
export interface EngineRecords {
  /** A customer. */
  customer: Customer;
  /** A project. */
  project: Project;
  /** A virtual key. */
  key: StoredKey;
  /** The earlier value of a rotated key. */
  retired_key: RetiredKey;
  /** The name of what was deleted. */
  deleted_name: DeletedName;
  /** A running process and its calls. */
  calls: CallRecord;
  /** A secret of the engine. */
  secret: EngineSecret;
  /** A calibration map. */
  calibration: Calibration;
  /** Tools that were approved. */
  tool_approval: StoredToolApprovals;
  /** An entry of the audit log. */
  audit: AuditLogRecord;
}

/**
 * What is kept, by kind. Each has an `id`, unique within its kind, and `created_at`, RFC 3339 in UTC with milliseconds. A layer above adds
 * its kinds here and to {@link RecordLinks} by declaration merging, and has stores know them by `Records.define`.
 */
export interface RecordKinds extends EngineRecords {
  user: UserRecord;
  tenant: TenantRecord;
}

/** The name of a kind. */
export type RecordKind = keyof RecordKinds;

/** The parts that make the owner of a record's name; absent ones count too. */
export type NameOwner = readonly (string | null | undefined)[];

/** How records of a kind are found. */
export interface KindDefinition {
  /**
   * The fields by which records are found, and for those that name another record its kind: such a one must exist, and cannot be removed
   * before those that name it.
   */
  readonly links: Readonly<Record<string, RecordKind | undefined>>;
  /** The fields whose texts a record is searched by. A kind without them is not searched. */
  readonly texts?: readonly string[];
  /** The field that records are listed in order of as their name; such a kind has an index in the stores' schemas. */
  readonly name?: string;
  /** To whom the name of a record belongs. Names of a kind without it are not looked at; a kind that has it is found by `owned_name`. */
  owner?(record: object): NameOwner;
}

/** Definitions by kind. */
export type KindDefinitions = Readonly<Record<string, KindDefinition>>;

/** Where a record lies in the tree of tenants: it is found by each level. Records of the engine have the levels in `metadata`. */
export const scopeLinks = { reseller: undefined, client_id: undefined } as const;

/** The name of a record with its owner, as `ownedNameOf` makes it: records of one name with one owner are found by it. */
export const nameLink = { owned_name: undefined } as const;

/** A definition that fits the records of a kind. */
export interface KindDefinitionOf<Shape extends object> extends KindDefinition {
  readonly links: {
    readonly [Field in keyof Shape | keyof typeof scopeLinks | keyof typeof nameLink]?: RecordKind | undefined;
  };
  readonly texts?: readonly (keyof Shape & string)[];
  readonly name?: keyof Shape & string;
  owner?(record: Shape): NameOwner;
}

const tenantOf = ({ metadata }: Customer): NameOwner => [metadata.reseller, metadata.client_id];

/** A project belongs to its tenant, which in an engine without tenants is its customer. */
function ownerOfProject(project: Project): NameOwner {
  const { reseller, client_id } = project.metadata;
  const isTenants = [reseller, client_id].some(Boolean);
  return [reseller, client_id, isTenants ? undefined : project.customer_id];
}

/**
 * A key belongs to its project. Without one it belongs to its tenant, which in an engine without tenants is its customer, and there to
 * its user: users do not see each other's keys.
 */
function ownerOfKey({ project_id, customer_id, user, metadata }: StoredKey): NameOwner {
  if (project_id !== undefined) return [project_id];
  const { reseller, client_id } = metadata;
  const isTenants = reseller !== undefined || client_id !== undefined;
  return [reseller, client_id, isTenants ? undefined : customer_id, user];
}

const audited = { user_id: undefined, operation: undefined, outcome: undefined, target_id: undefined } as const;

/** The engine's own kinds. A new kind is a row here, and no change of any adapter. */
export const engineKinds = {
  customer: {
    links: { ...scopeLinks, ...nameLink },
    texts: ["id", "name", "description"],
    name: "name",
    owner: tenantOf,
  },
  project: {
    links: { ...scopeLinks, ...nameLink, customer_id: "customer" },
    texts: ["id", "name", "description"],
    name: "name",
    owner: ownerOfProject,
  },
  key: {
    links: { ...scopeLinks, ...nameLink, project_id: "project", customer_id: "customer", user: undefined },
    texts: ["id", "name", "description", "last4", "user"],
    name: "name",
    owner: ownerOfKey,
  },
  retired_key: { links: { key_id: undefined } },
  deleted_name: { links: scopeLinks },
  calls: { links: {} },
  secret: { links: {} },
  calibration: { links: { model: undefined, name: undefined } },
  tool_approval: { links: {} },
  audit: { links: { ...scopeLinks, ...audited } },
} as const satisfies { [Kind in keyof EngineRecords]: KindDefinitionOf<EngineRecords[Kind]> };

/** The links of definitions, by kind. */
export type LinksIn<Kinds extends KindDefinitions> = { readonly [Kind in keyof Kinds]: Kinds[Kind]["links"] };

/** The fields that records are found by, by kind: one with the name of a kind names a record of it. */
export interface RecordLinks extends LinksIn<typeof engineKinds> {}

/** A field that records of a kind can be listed by. */
export type LinkOf<Kind extends RecordKind> = [Kind] extends [keyof RecordLinks]
  ? Extract<keyof RecordLinks[Kind], string>
  : never;
