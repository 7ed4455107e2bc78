import type { QuotaRow } from "../../operations/portal/quotas.ts";
import type { AreaTools } from "../area.ts";
import { type QuotaTools, setAll, showQuota, usageIn } from "../quotas/apply.ts";
import { quotaId } from "../quotas/limits.ts";
import { findPlace } from "../quotas/place.ts";
import type { AreaBackend } from "../regions.ts";
import { notFound, readAll } from "../shelf.ts";
import { createTurn } from "../turn.ts";
import { quotaProfileCalls } from "./quota-profiles.ts";

/** Quotas: limits that are given down the tree of tenants, region by region (portal-resolved.md, section 6). */
export function quotasArea(tools: QuotaTools & Pick<AreaTools, "clock">): AreaBackend<"quotas"> {
  const inTurn = createTurn(tools, "quotas");
  return {
    ...quotaProfileCalls(tools, inTurn),
    async list(_input, call) {
      const used = usageIn(tools, call);
      const rows = new Map<string, QuotaRow[]>();
      for (const record of await readAll(call.records, "quota")) {
        const row = record.region === call.region ? await showQuota(record, used) : undefined;
        if (row) rows.set(record.quota, [...(rows.get(record.quota) ?? []), row]);
      }
      return Object.fromEntries(rows);
    },
    async set({ quota, limit, ...named }, call) {
      const place = findPlace(named, call);
      const [row] = await inTurn(() => setAll(tools, { place, limits: [[quota, limit]] }, call));
      return { quota, ...row };
    },
    async increase({ quota, increase, ...named }, call) {
      const place = findPlace(named, call);
      const [row] = await inTurn(async () => {
        const stored = await call.records.get("quota", quotaId({ region: call.region, quota, place }));
        const limit = stored?.record.limit ?? null;
        if (limit === null) throw notFound("quota", quota);
        return setAll(tools, { place, limits: [[quota, limit + increase]] }, call);
      });
      return row as QuotaRow; // one limit was set, and so there is one row
    },
  };
}
