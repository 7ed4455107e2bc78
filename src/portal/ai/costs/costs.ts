import type { PortalDeps } from "../../area.ts";
import type { AreaBackend } from "../../regions.ts";
import { upliftsOf } from "../../tariff/tariff.ts";
import { read } from "../../tenancy/record-access.ts";
import { readProject } from "../find.ts";
import { readPeriod } from "./period.ts";
import { pricesOf } from "./prices.ts";
import { readSpent } from "./spending.ts";

/** The cost of keys and projects according to the ledger, and the rates of models. */
export function costsOf(deps: PortalDeps) {
  const { ledger, tariff } = deps;
  return {
    ...pricesOf(deps),
    async keyCost({ key_id, ...period }, { records, now }) {
      const { metadata } = await read(records, "key", key_id);
      const uplifts = upliftsOf(tariff, metadata);
      const question = { period: readPeriod(period, now), filters: { key_id }, uplifts };
      const tier = tariff.tiers.find(({ name }) => name === metadata.tier);
      return { ...(await readSpent(ledger, question)), key_price: tier?.key_price ?? 0 };
    },
    async projectCost({ ai_project_id, ...period }, call) {
      const { id, metadata } = await readProject(call, ai_project_id);
      const uplifts = upliftsOf(tariff, metadata);
      return readSpent(ledger, { period: readPeriod(period, call.now), filters: { project_id: id }, uplifts });
    },
  } satisfies AreaBackend<"ai">;
}
