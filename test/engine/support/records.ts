import { type Budget, Customer, Project, ProviderConfig, VirtualKey } from "../../../src/engine/api/governance.ts";

const at = "2026-11-01T00:00:00.000Z";
const common = { active: true, metadata: {}, budgets: [], rate_limits: [], created_at: at, updated_at: at };

/** An entry of a key, checked by the schema and with its defaults. */
export function anEntry(parts: Partial<ProviderConfig> & { provider: string }): ProviderConfig {
  return ProviderConfig.parse({ allowed_models: ["*"], ...parts });
}

/** A key that may use openai, unless told otherwise. */
export function aKey(parts: Partial<VirtualKey> = {}): VirtualKey {
  const provider_configs = [anEntry({ provider: "openai" })];
  return VirtualKey.parse({ ...common, id: "vk_1", name: "key", last4: "abcd", provider_configs, ...parts });
}

export function aProject(parts: Partial<Project> = {}): Project {
  return Project.parse({ ...common, id: "prj_1", name: "project", ...parts });
}

export function aCustomer(parts: Partial<Customer> = {}): Customer {
  return Customer.parse({ ...common, id: "cus_1", name: "customer", ...parts });
}

/** A soft, rolling budget per day. */
export function aBudget(parts: Partial<Budget> = {}): Budget {
  return { max_limit: 1, reset_duration: "1d", calendar_aligned: false, enforcement: "soft", ...parts };
}
