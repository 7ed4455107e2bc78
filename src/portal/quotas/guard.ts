import { GatewayError } from "../../errors.ts";
import type { AreaTools } from "../area.ts";
import type { PortalCall } from "../call.ts";
import { covers, type Placed, placeOf } from "../scope.ts";
import { createTurn } from "../turn.ts";
import { toPlace } from "../user.ts";
import { parentPlace, type QuotaPlace, quotaId } from "./limits.ts";
import { createUsage } from "./usage.ts";

/** Operations that make one more of what a quota counts, or move one to where it did not count before. What a resource uses is held by its own back end. */
const makers: ReadonlyMap<string, string> = new Map(
  Object.entries({
    "users.create": "users",
    "users.createToken": "tokens",
    "profiles.create": "profiles",
    "ai.createKey": "ai_keys",
    "ai.assignKey": "ai_keys",
    "ai.createProject": "ai_projects",
    "iaas.createProject": "projects",
  }),
);

/** An operation that is about to be done. */
export interface Deed {
  /** `area.name`. */
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly call: PortalCall;
}

/** Does the work unless a quota would be passed by it. */
export type QuotaGuard = (deed: Deed, work: () => unknown) => Promise<unknown>;

/**
 * Throws `quota_exceeded` for what would pass the limit of its place or of a level above. What one quota limits is made one after the
 * other, by whichever process; what is slow to make keeps nothing waiting that another quota limits.
 */
export function createQuotaGuard({ records, clock }: Pick<AreaTools, "records" | "clock">): QuotaGuard {
  const turns = new Map(
    [...makers.values()].map((quota) => [quota, createTurn({ records, clock }, `limited/${quota}`)]),
  );
  return async (deed, work) => {
    const quota = makers.get(deed.name);
    const inTurn = quota === undefined ? undefined : turns.get(quota);
    if (quota === undefined || inTurn === undefined) return work();
    const question = { quota, place: await placeOfDeed(deed), region: deed.call.region };
    if ((await limitsAt(records, question)).length === 0) return work();
    return inTurn(async () => {
      const used = createUsage({ records, call: deed.call, source: undefined });
      const counts = await countsAlready(deed);
      const limits = (await limitsAt(records, question)).filter(({ place }) => !counts(place)); // as they are by now
      for (const { place, limit } of limits) if ((await used(quota, place)) >= limit) throw exceeded(quota, limit);
      return work();
    });
  };
}

interface Limit {
  readonly place: QuotaPlace;
  readonly limit: number;
}

/** The limits of a quota at a place and above it. */
async function limitsAt(
  records: AreaTools["records"],
  { quota, place, region }: { readonly quota: string; readonly place: QuotaPlace; readonly region: string },
): Promise<Limit[]> {
  const found: Limit[] = [];
  for (let at: QuotaPlace | undefined = place; at; at = parentPlace(at)) {
    const limit = (await records.get("quota", quotaId({ region, quota, place: at })))?.record.limit ?? null;
    if (limit !== null) found.push({ place: at, limit });
  }
  return found;
}

/** Where what is moved counts already; what is made counts nowhere yet. */
async function countsAlready({ input, call: { records } }: Deed): Promise<(place: QuotaPlace) => boolean> {
  const key = typeof input.key_id === "string" ? await records.get("key", input.key_id) : undefined;
  if (!key) return () => false;
  const present = placeOf("key", key.record);
  return ({ reseller, client_id }) => covers(toPlace({ reseller, client_id }), present);
}

/** Where what is made will lie: where its project or its user lies, else where the input says, else at the caller's place. */
async function placeOfDeed({ input, call }: Deed): Promise<QuotaPlace> {
  const { records, caller } = call;
  const user = typeof input.user_id === "string" ? await records.get("user", input.user_id) : undefined;
  const project = typeof input.project_id === "string" ? await records.get("project", input.project_id) : undefined;
  const owner: Placed | undefined = project ? placeOf("project", project.record) : user?.record;
  const said = (...values: unknown[]) => values.find((value) => typeof value === "string" && value !== "") ?? null;
  return {
    reseller: said(owner?.reseller, input.reseller, input.reseller_name, caller.place.reseller) as string | null,
    client_id: said(owner?.client_id, input.client_id, input.client, caller.place.client_id) as string | null,
    resource_id: null,
  };
}

function exceeded(quota: string, limit: number): GatewayError {
  return new GatewayError("quota_exceeded", `The quota \`${quota}\` allows ${limit}, and all are in use.`, {
    param: quota,
  });
}
