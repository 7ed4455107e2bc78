import { z } from "zod";
import { Budget, MaxInFlight, ModelPattern, ProviderConfigs, RateLimit } from "../../engine/api/governance.ts";
import { GatewayError } from "../../engine/errors.ts";
import type { Uplift } from "../../engine/metering/uplift.ts";
import { describeSchemaFault } from "../../engine/options/schema-fault.ts";
import type { Tenant } from "../tenancy/tenant.ts";
import { entriesFor, findBeyond, llmsOf } from "./llms.ts";

/** The policy from which keys and projects are created. `llms`, `provider_configs` or both list the allowed models. */
const Tier = z
  .strictObject({
    /** `provider/model`, `provider/*` or `*`. */
    llms: z.array(ModelPattern).max(1_000).optional(),
    provider_configs: ProviderConfigs.optional(),
    budgets: z.array(Budget).max(20).default([]),
    rate_limits: z.array(RateLimit).max(20).default([]),
    max_in_flight: MaxInFlight.optional(),
    /** The fixed price of a key in whole US dollars, in addition to its usage. */
    key_price: z.int().nonnegative().default(0),
    /** The resellers that are offered the tier, with their clients; all when absent. */
    resellers: z.array(z.string().min(1)).optional(),
  })
  .refine(({ llms, provider_configs }) => llms !== undefined || provider_configs !== undefined, {
    path: ["llms"],
    message: "is required unless `provider_configs` is set",
  });

const Uplifts = z.array(
  z.strictObject({ provider: z.string().min(1).optional(), percent: z.number().min(0).max(10_000) }),
);

const Shape = z.object({
  tiers: z.record(z.string().min(1), Tier).optional(),
  uplift: z.record(z.string().min(1), Uplifts).optional(),
});

/** The options of a portal for tiers and prices. */
export type TariffOptions = Readonly<z.input<typeof Shape>>;

/** A resolved tier: its `provider_configs` allow exactly what `llms` lists. */
export interface TierPolicy extends z.output<typeof Tier> {
  readonly name: string;
  readonly llms: string[];
  readonly provider_configs: NonNullable<z.output<typeof Tier>["provider_configs"]>;
}

/** The tiers of keys, and the uplifts on their cost. */
export interface Tariff {
  readonly tiers: readonly TierPolicy[];
  /** By reseller. */
  readonly uplift: ReadonlyMap<string, readonly Uplift[]>;
}

/** The default where no tiers are configured. */
const standard = { standard: { llms: ["*"] } };

/** Reads the tiers and uplifts of the options; throws `invalid_configuration` with the field's path in `param`. */
export function readTariff({ tiers, uplift }: TariffOptions): Tariff {
  const read = Shape.safeParse({ tiers: tiers ?? standard, uplift });
  if (!read.success) {
    const { param, message } = describeSchemaFault(Shape, read.error);
    throw new GatewayError("invalid_configuration", `\`${param}\`: ${message}.`, { param });
  }
  const policies = Object.entries(read.data.tiers ?? {}).map(([name, tier]) => toPolicy(name, tier));
  return { tiers: policies, uplift: new Map(Object.entries(read.data.uplift ?? {})) };
}

function toPolicy(name: string, tier: z.output<typeof Tier>): TierPolicy {
  const { provider_configs: entries = [], llms = llmsOf(entries) } = tier;
  return { ...tier, name, llms, provider_configs: tier.llms ? entriesFor(llms, entries) : entries };
}

/** Returns the tiers that a tenant may use; the provider may use all. */
export function tiersFor({ tiers }: Tariff, { reseller }: Tenant): readonly TierPolicy[] {
  return tiers.filter(({ resellers }) => reseller === undefined || (resellers?.includes(reseller) ?? true));
}

/** Returns the tier with that name among those that the tenant may use. Throws `invalid_request`, which lists them. */
export function findTier(tariff: Tariff, tenant: Tenant, name: string): TierPolicy {
  const offered = tiersFor(tariff, tenant);
  const tier = offered.find((one) => one.name === name);
  if (tier) return tier;
  const known = offered.map((one) => one.name).join(", ") || "none";
  const message = `\`tier\`: unknown tier \`${name.slice(0, 100)}\`. Available tiers: ${known}.`;
  throw new GatewayError("invalid_request", message, { param: "tier" });
}

/** Throws `invalid_request` for the first model pattern of a field that the tier does not allow. No tier means no bound. */
export function checkLlms(llms: readonly string[] | undefined, tier: TierPolicy | undefined, field = "llms"): void {
  const position = llms && tier ? findBeyond(llms, tier.llms) : -1;
  if (position < 0) return;
  const param = `${field}.${position}`;
  const message = `\`${param}\`: is not allowed by the tier \`${tier?.name}\`. Allowed: ${tier?.llms.join(", ") || "none"}.`;
  throw new GatewayError("invalid_request", message, { param });
}

/** Returns the uplifts on a tenant's cost, which are those of its reseller. */
export function upliftsOf({ uplift }: Tariff, { reseller }: Pick<Tenant, "reseller">): readonly Uplift[] {
  return (reseller === undefined ? undefined : uplift.get(reseller)) ?? [];
}
