import { z } from "zod";
import { Budget, ModelPattern, ProviderConfigs, RateLimit } from "../../../api/governance.ts";
import { GatewayError } from "../../../errors.ts";
import { describeIssues } from "../../../issues.ts";
import type { Uplift } from "../../../usage/uplift.ts";
import { entriesFor, findBeyond, llmsOf } from "./llms.ts";
import type { Tenant } from "./tenant.ts";

/** A policy that keys and projects are made by. `llms`, `provider_configs` or both say what may be asked. */
const Tier = z
  .strictObject({
    /** `provider/model`, `provider/*` or `*`. */
    llms: z.array(ModelPattern).max(1_000).optional(),
    provider_configs: ProviderConfigs.optional(),
    budgets: z.array(Budget).max(20).default([]),
    rate_limits: z.array(RateLimit).max(20).default([]),
    /** What a key costs beside what it uses, in whole US dollars. */
    key_price: z.int().nonnegative().default(0),
    /** Who is offered the tier, and their clients; everybody when absent. */
    resellers: z.array(z.string().min(1)).optional(),
  })
  .refine(({ llms, provider_configs }) => llms !== undefined || provider_configs !== undefined, {
    path: ["llms"],
    message: "must be given, or `provider_configs`",
  });

const Uplifts = z.array(
  z.strictObject({ provider: z.string().min(1).optional(), percent: z.number().min(0).max(10_000) }),
);

const Shape = z.object({
  tiers: z.record(z.string().min(1), Tier).optional(),
  uplift: z.record(z.string().min(1), Uplifts).optional(),
});

/** What a portal's options say of tiers and prices. */
export type TariffOptions = Readonly<z.input<typeof Shape>>;

/** A policy, ready to be used: `provider_configs` allow what `llms` say. */
export interface TierPolicy extends z.output<typeof Tier> {
  readonly name: string;
  readonly llms: string[];
  readonly provider_configs: NonNullable<z.output<typeof Tier>["provider_configs"]>;
}

/** What keys are made by, and what is put on their cost. */
export interface Tariff {
  readonly tiers: readonly TierPolicy[];
  /** By reseller. */
  readonly uplift: ReadonlyMap<string, readonly Uplift[]>;
}

/** The only tier where none are configured. */
const standard = { standard: { llms: ["*"] } };

/** Reads the tiers and uplifts of the options; throws `invalid_configuration` with the field's path in `param`. */
export function readTariff({ tiers, uplift }: TariffOptions): Tariff {
  const read = Shape.safeParse({ tiers: tiers ?? standard, uplift });
  if (!read.success) {
    const { param, message } = describeIssues(read.error.issues);
    throw new GatewayError("invalid_configuration", `\`${param}\`: ${message}.`, { param });
  }
  const policies = Object.entries(read.data.tiers ?? {}).map(([name, tier]) => toPolicy(name, tier));
  return { tiers: policies, uplift: new Map(Object.entries(read.data.uplift ?? {})) };
}

function toPolicy(name: string, tier: z.output<typeof Tier>): TierPolicy {
  const { provider_configs: entries = [], llms = llmsOf(entries) } = tier;
  return { ...tier, name, llms, provider_configs: tier.llms ? entriesFor(llms, entries) : entries };
}

/** The tiers that a tenant is offered; the provider itself is offered all. */
export function tiersFor({ tiers }: Tariff, { reseller }: Tenant): readonly TierPolicy[] {
  return tiers.filter(({ resellers }) => reseller === undefined || (resellers?.includes(reseller) ?? true));
}

/** The tier of a name among those that the tenant is offered. Throws `invalid_request` listing them. */
export function findTier(tariff: Tariff, tenant: Tenant, name: string): TierPolicy {
  const offered = tiersFor(tariff, tenant);
  const tier = offered.find((one) => one.name === name);
  if (tier) return tier;
  const known = offered.map((one) => one.name).join(", ") || "none";
  const message = `\`tier\`: there is no tier \`${name.slice(0, 100)}\`; known are: ${known}.`;
  throw new GatewayError("invalid_request", message, { param: "tier" });
}

/** Who is not the provider gives no models beyond the tier's; throws `invalid_request` naming the first. */
export function checkLlms(llms: readonly string[] | undefined, tier: TierPolicy | undefined): void {
  const position = llms && tier ? findBeyond(llms, tier.llms) : -1;
  if (position < 0) return;
  const message = `\`llms.${position}\`: is beyond the tier \`${tier?.name}\`, which allows: ${tier?.llms.join(", ") || "none"}.`;
  throw new GatewayError("invalid_request", message, { param: `llms.${position}` });
}

/** What is put on the cost of a tenant: its reseller's uplifts. */
export function upliftsOf({ uplift }: Tariff, { reseller }: Pick<Tenant, "reseller">): readonly Uplift[] {
  return (reseller === undefined ? undefined : uplift.get(reseller)) ?? [];
}
