import type { PortalDeps } from "../area.ts";
import type { AreaBackend } from "../regions.ts";
import { upliftsOf } from "../tariff/tariff.ts";
import { read } from "../tenancy/record-access.ts";
import { changeCustomer } from "./change-customer.ts";
import { readPeriod } from "./costs/period.ts";
import { readSpent } from "./costs/spending.ts";

/** Changes of customers, and what they cost. */
export function customersOf(deps: PortalDeps) {
  const { ledger, tariff } = deps;
  return {
    changeCustomer: (input, call) => changeCustomer(deps, input, call),
    async customerCost({ customer_id, ...period }, call) {
      const { id, metadata } = await read(call.records, "customer", customer_id);
      const uplifts = upliftsOf(tariff, metadata);
      return readSpent(ledger, { period: readPeriod(period, call.now), filters: { customer_id: id }, uplifts });
    },
  } satisfies AreaBackend<"ai">;
}
