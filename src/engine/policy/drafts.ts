import type {
  Customer,
  CustomerDraft,
  CustomerPatch,
  Project,
  ProjectDraft,
  ProjectPatch,
  VirtualKey,
  VirtualKeyDraft,
  VirtualKeyPatch,
} from "../api/governance.ts";
import { GatewayError } from "../errors.ts";
import type { StoredKey } from "../ports/records.ts";
import type { MintedKey } from "./key.ts";

/** What a new record is given beside its draft. */
export interface Birth {
  readonly id: string;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** A new customer, with what the draft leaves open: active, without limits. */
export function draftCustomer(draft: CustomerDraft, birth: Birth): Customer {
  return { ...begin(draft, birth), ...present({ mcp_configs: draft.mcp_configs }) };
}

/** A new project. */
export function draftProject(draft: ProjectDraft, birth: Birth): Project {
  return { ...begin(draft, birth), ...present({ customer_id: draft.customer_id, mcp_configs: draft.mcp_configs }) };
}

/** A new virtual key over a minted value; without provider entries it may ask nobody. */
export function draftKey(draft: VirtualKeyDraft, minted: Omit<MintedKey, "value">, birth: Birth): StoredKey {
  const { starts_at, expires_at, project_id, customer_id, user, user_bound, mcp_configs, timeouts } = draft;
  return {
    ...begin(draft, birth),
    provider_configs: draft.provider_configs ?? [],
    ...present({ starts_at, expires_at, project_id, customer_id, user, user_bound, mcp_configs, timeouts }),
    hash: minted.hash,
    last4: minted.last4,
  };
}

/** A customer or a project with a patch applied: absent fields stay, lists are replaced as a whole, `null` takes away. */
export function patchRecord<R extends Customer | Project>(
  record: R,
  patch: R extends Project ? ProjectPatch : CustomerPatch,
  now: number,
): R {
  return applyPatch(record, patch, now);
}

/** A key with a patch applied. Giving it a project takes its own customer away, and the other way round. */
export function patchKey(record: StoredKey, patch: VirtualKeyPatch, now: number): StoredKey {
  const moved = patch.project_id ? { customer_id: null } : patch.customer_id ? { project_id: null } : {};
  return applyPatch(record, { ...patch, ...moved }, now);
}

type KeyDates = Pick<VirtualKeyPatch, "starts_at" | "expires_at">;

/** Milliseconds by which the clock of who says "from now on" may be behind. */
const startTolerance = 60_000;

/** Throws `invalid_request` for a date that is set, or changed, to one in the past: a mistake. A date that stays may have been reached. */
export function refusePastDates({ starts_at, expires_at }: KeyDates, now: number, before: KeyDates = {}): void {
  const isPast = (date: string | null | undefined, end: number) => date && Date.parse(date) <= end;
  if (starts_at !== before.starts_at && isPast(starts_at, now - startTolerance))
    throw pastDate("starts_at", "without it the key is valid from now on");
  if (expires_at !== before.expires_at && isPast(expires_at, now))
    throw pastDate("expires_at", "a key with `active: false` is refused at once");
}

function pastDate(param: keyof KeyDates, advice: string): GatewayError {
  return new GatewayError("invalid_request", `\`${param}\`: is in the past; ${advice}`, { param });
}

/** A key as it may be shown. */
export function showKey({ hash: _secret, ...shown }: StoredKey): VirtualKey {
  return shown;
}

function begin(draft: Omit<CustomerDraft, "mcp_configs">, { id, now }: Birth): Omit<Customer, "mcp_configs"> {
  const at = new Date(now).toISOString();
  return {
    id,
    name: draft.name,
    ...present({ description: draft.description, max_in_flight: draft.max_in_flight }),
    ...present({ llms: draft.llms }),
    active: draft.active ?? true,
    metadata: draft.metadata ?? {},
    budgets: draft.budgets ?? [],
    rate_limits: draft.rate_limits ?? [],
    created_at: at,
    updated_at: at,
  };
}

type NonNullFields<Fields> = { [Name in keyof Fields]?: NonNullable<Fields[Name]> };

/** Only the fields that have a value. */
export function present<Fields extends object>(fields: Fields): NonNullFields<Fields> {
  const retained = Object.entries(fields).filter(([, value]) => value !== undefined && value !== null);
  return Object.fromEntries(retained) as NonNullFields<Fields>;
}

function applyPatch<R extends Customer>(record: R, patch: Readonly<Record<string, unknown>>, now: number): R {
  const provided = Object.entries(patch).filter(([, value]) => value !== undefined);
  const merged = { ...record, ...Object.fromEntries(provided), updated_at: new Date(now).toISOString() };
  return present(merged) as R; // `null` is only accepted for fields that may be absent
}
