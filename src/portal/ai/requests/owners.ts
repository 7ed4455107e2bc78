import { findPercent, raise } from "../../../engine/metering/uplift.ts";
import type { UsageReportEntry } from "../../../engine/metering/usage/report.ts";
import type { Records } from "../../../engine/ports/records.ts";
import type { PortalDeps } from "../../area.ts";
import type { PortalCall } from "../../call/call.ts";
import { upliftsOf } from "../../tariff/tariff.ts";
import { contains, isAbove, scopeOf, type TenantScope } from "../../tenancy/tenant-scope.ts";

export type RequestOwnerKind = "key" | "project" | "customer";

/** An owner as a request shows it. */
export interface ShownOwner {
  readonly id: string;
  readonly name?: string | undefined;
}

/** The keys, projects and customers of some requests. */
export interface RequestOwners {
  show(kind: RequestOwnerKind, id: string | undefined): { readonly [Kind in RequestOwnerKind]?: ShownOwner };
  /** The cost of a request with the uplift of its key's reseller, in nano-dollars. */
  priceOf(entry: UsageReportEntry): number;
}

/** Reads the owners of requests, each once. Names are those that the caller sees. */
export async function readOwners(
  { records, tariff }: Pick<PortalDeps, "records" | "tariff">,
  { caller: { scope } }: PortalCall,
  entries: readonly UsageReportEntry[],
): Promise<RequestOwners> {
  const keys = new Map<string, KeyTenant>();
  const names = {
    key: await readNames({ records, scope, keys }, "key", idsOf(entries, "key_id")),
    project: await readNames({ records, scope }, "project", idsOf(entries, "project_id")),
    customer: await readNames({ records, scope }, "customer", idsOf(entries, "customer_id")),
  };
  return {
    show(kind, id) {
      if (id === undefined) return {};
      const name = names[kind].get(id);
      return { [kind]: { id, ...(name === undefined ? {} : { name }) } };
    },
    priceOf({ key_id = "", attempts }) {
      const uplifts = upliftsOf(tariff, keys.get(key_id) ?? {});
      return attempts.reduce(
        (sum, { provider, cost_nano }) => sum + raise(cost_nano, findPercent(uplifts, provider)),
        0,
      );
    },
  };
}

/** Whose tenant a key is, a deleted one too: its uplifts stay. */
interface KeyTenant {
  readonly reseller?: string | undefined;
}

/** Whose names are read, and where the tenants of the keys among them go. */
interface NameReader {
  readonly records: Pick<Records, "get">;
  readonly scope: TenantScope;
  readonly keys?: Map<string, KeyTenant> | undefined;
}

/** Returns the names of records by their ids, those of deleted ones too, as far as somebody of the scope sees them. */
export async function readNames(
  { records, scope, keys }: NameReader,
  kind: RequestOwnerKind,
  ids: Iterable<string>,
): Promise<ReadonlyMap<string, string>> {
  const isSeen = (at: ReturnType<typeof scopeOf>) => contains(scope, at) || isAbove(at, scope);
  const names = new Map<string, string>();
  for (const id of ids) {
    const record = (await (records as Records).get(kind, id))?.record;
    if (!record) {
      const deleted = (await records.get("deleted_name", id))?.record;
      if (deleted) keys?.set(id, deleted.metadata);
      if (deleted && isSeen(scopeOf("deleted_name", deleted))) names.set(id, deleted.name);
      continue;
    }
    keys?.set(id, record.metadata);
    if (isSeen(scopeOf(kind, record))) names.set(id, record.name);
  }
  return names;
}

function idsOf(entries: readonly UsageReportEntry[], field: "key_id" | "project_id" | "customer_id"): Set<string> {
  return new Set(entries.flatMap(({ [field]: id }) => (id === undefined ? [] : [id])));
}
