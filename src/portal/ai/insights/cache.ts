import type { CacheScope } from "../../../engine/caching/scope.ts";
import { GatewayError } from "../../../engine/errors.ts";
import { toDollars } from "../../../engine/metering/money.ts";
import type { UsageSums } from "../../../engine/ports/ledger.ts";
import type { InputOf } from "../../../operations/calls.ts";
import type { Areas } from "../../../operations/portal/table.ts";
import type { AiCache, AiCachedAnswer, AiCacheScope } from "../../../operations/portal/tenancy/ai/cache.ts";
import type { PortalDeps } from "../../area.ts";
import type { PortalCall } from "../../call/call.ts";
import { readListed } from "../../call/listed.ts";
import type { AreaBackend } from "../../regions.ts";
import { type Period, readPeriod } from "../costs/period.ts";
import { notFoundAs } from "../find.ts";
import { visibleRequests } from "../requests/visible.ts";
import { openPricedUsage, sumOf } from "./priced-usage.ts";
import { sumUsage } from "./usage.ts";

/** Usage, and the answer cache, restricted to the keys, projects and customers that the caller sees. */
export function usageOf(deps: PortalDeps) {
  const { cache } = deps.engine;
  return {
    usage: (input, call) => sumUsage(deps, input, call),
    cache: (input, call) => readCache(deps, input, call),
    cacheScopes: (input, call) => listScopes(deps, input, call),
    async cachedAnswers({ cache_scope, limit = 50, after }, call) {
      const scope = await findScope(deps, cache_scope, call);
      const page = await cache.list(scope, { limit, after });
      call.showNext?.(page.next);
      return page.answers.map(
        ({ id, provider, deployment, cost, storedAt, expiresAt, bytes }): AiCachedAnswer => ({
          ...{ cache_id: `${scope}/${id}`, id, model: `${provider}/${deployment}` },
          stored_at: new Date(storedAt).toISOString(),
          expires_at: new Date(expiresAt).toISOString(),
          cost: toDollars(cost),
          bytes,
        }),
      );
    },
    async forgetAnswers({ cache_scope }, call) {
      return { deleted: await cache.clear(await findScope(deps, cache_scope, call)) };
    },
    async forgetAnswer({ cache_scope, answer_id }, call) {
      const scope = await findScope(deps, cache_scope, call);
      if (await cache.delete(`${scope}/${answer_id}`, scope)) return undefined;
      throw notFoundAs("stored answer", { id: answer_id, param: "answer_id" });
    },
  } satisfies AreaBackend<"ai">;
}

const kinds = ["key", "project", "customer"] as const;
type ScopeKind = (typeof kinds)[number];

/** Returns the scope of a name. Throws `not_found` for one that is not of a record that the caller sees; `trusted` is the provider's. */
async function findScope(
  { engine }: PortalDeps,
  name: string,
  { records, caller: { scope } }: PortalCall,
): Promise<CacheScope> {
  if (!engine.cache.settings)
    throw new GatewayError("not_found", "The gateway stores no answers: it has no cache.", { param: "cache_scope" });
  const [kind, id] = [name.slice(0, name.indexOf(":")), name.slice(name.indexOf(":") + 1)];
  const isProvider = scope.reseller === undefined && scope.user_id === undefined;
  const known = kinds.find((each) => each === kind);
  const isSeen = known ? isProvider || (await records.get(known, id)) !== undefined : isProvider && name === "trusted";
  if (isSeen) return name as CacheScope; // seam: looked at
  throw notFoundAs("scope of the cache", { id: name, param: "cache_scope" });
}

/** Scopes at most whose sizes are added up. */
const mostScopes = 1_000;

async function readCache(deps: PortalDeps, input: InputOf<Areas["ai"]["cache"]>, call: PortalCall): Promise<AiCache> {
  const period = readPeriod(input, call.now);
  const { settings } = deps.engine.cache;
  const { sharing, mode, ttl, isSemantic } = settings ?? {};
  const visible = await visibleRequests(call);
  const usage = await openPricedUsage(deps, call, visible);
  const records = sharing ? await call.records.list(sharing, { limit: mostScopes }) : undefined;
  const isTrusted = call.caller.scope.reseller === undefined && call.caller.scope.user_id === undefined;
  const ids = records?.records.map(({ record }) => record.id) ?? [];
  const scopes = [
    ...(isTrusted ? (["trusted"] as const) : []),
    ...ids.map((id) => `${sharing ?? "key"}:${id}` as const),
  ];
  return {
    is_enabled: settings !== undefined,
    ...(settings ? { shared_by: sharing, mode, ttl, is_semantic: isSemantic } : {}),
    ...(settings ? addSizes(await Promise.all(scopes.map((scope) => deps.engine.cache.size(scope)))) : {}),
    is_partial: records?.next !== undefined,
    ...showPeriod(period),
    ...showSavings(sumOf(await usage(period))),
  };
}

type Size = Awaited<ReturnType<PortalDeps["engine"]["cache"]["size"]>>;

function addSizes(sizes: readonly Size[]): NonNullable<Size> | undefined {
  if (sizes.some((size) => size === undefined)) return undefined;
  const sum = (count: (size: NonNullable<Size>) => number) =>
    sizes.reduce((all, size) => all + (size ? count(size) : 0), 0);
  return { answers: sum(({ answers }) => answers), bytes: sum(({ bytes }) => bytes) };
}

async function listScopes(
  deps: PortalDeps,
  { kind, ...input }: InputOf<Areas["ai"]["cacheScopes"]>,
  call: PortalCall,
): Promise<AiCacheScope[]> {
  const { cache } = deps.engine;
  const shown: ScopeKind = kind ?? cache.settings?.sharing ?? "key";
  const records = await readListed(call, shown);
  const dimension = `${shown}_id` as const;
  const ids = records.map(({ id }) => id);
  const filters = ids.length > mostScopes ? {} : { [dimension]: ids };
  const period = readPeriod(input, call.now);
  const rows = ids.length === 0 ? [] : await deps.ledger.query({ ...period, group_by: [dimension], filters });
  const used = new Map(rows.map((row) => [row.group[dimension], row]));
  return Promise.all(
    records.map(async ({ id, name }) => {
      const scope = `${shown}:${id}` as const;
      return { scope, id, name, ...(await cache.size(scope)), ...showSavings(used.get(id)) };
    }),
  );
}

function showPeriod({ from, to }: Period) {
  return { from: new Date(from).toISOString(), to: new Date(to).toISOString() };
}

function showSavings(sums: UsageSums | undefined) {
  const { requests = 0, cache_hits = 0, saved = 0, saved_prompt_tokens = 0, saved_completion_tokens = 0 } = sums ?? {};
  const hit_rate = requests === 0 ? 0 : cache_hits / requests;
  return {
    requests,
    hits: cache_hits,
    hit_rate,
    saved: toDollars(saved),
    saved_prompt_tokens,
    saved_completion_tokens,
  };
}
