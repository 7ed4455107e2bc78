import type { QuotaRow } from "../../operations/portal/tenancy/quotas.ts";
import type { PortalDeps } from "../area.ts";
import { inParallel } from "../locks/in-parallel.ts";
import type { AreaBackend } from "../regions.ts";
import { notFound, readAll } from "../tenancy/record-access.ts";
import { quotasLease, setAll, showQuota, usageIn } from "./apply.ts";
import { quotaId } from "./limits.ts";
import { quotaProfileCalls } from "./profiles.ts";
import { openReading, type UsageMemory } from "./reading.ts";
import { findScope } from "./scope.ts";
import type { QuotaDeps } from "./usage.ts";

/** Rows that are read at a time. */
const width = 8;

/** Quotas: limits that each level shares out to the levels below it, region by region (portal-resolved.md, section 6). */
export function quotasArea(deps: QuotaDeps & Pick<PortalDeps, "clock">): AreaBackend<"quotas"> {
  const memory: UsageMemory = new Map();
  return {
    ...quotaProfileCalls(deps),
    async list(_input, call) {
      const reading = await openReading(deps, call, memory);
      const used = usageIn(deps, call, reading);
      const rows = new Map<string, QuotaRow[]>();
      const records = (await readAll(call.records, "quota")).filter(({ region }) => region === call.region);
      await inParallel(records, width, (record) => showQuota(record, used));
      reading.takeNotes(); // everything is read: what follows asks nothing, and notes each row's own
      for (const record of records) {
        const row = await showQuota(record, used);
        const noted = row && { ...row, ...reading.takeNotes() };
        if (noted) rows.set(record.quota, [...(rows.get(record.quota) ?? []), noted]);
      }
      return Object.fromEntries(rows);
    },
    async set({ quota, limit, ...named }, call) {
      const scope = findScope(named, call);
      const [row] = await call.withLease(quotasLease, () => setAll(deps, { scope, limits: [[quota, limit]] }, call));
      return { quota, ...row };
    },
    async increase({ quota, increase, ...named }, call) {
      const scope = findScope(named, call);
      const [row] = await call.withLease(quotasLease, async () => {
        const stored = await call.records.get("quota", quotaId({ region: call.region, quota, scope }));
        const limit = stored?.record.limit ?? null;
        if (limit === null) throw notFound("quota", quota);
        return setAll(deps, { scope, limits: [[quota, limit + increase]] }, call);
      });
      return row as QuotaRow; // one limit was set, and so there is one row
    },
  };
}
