import { type CacheScope, readAnswerName, scopeOf } from "../../caching/scope.ts";
import type { CacheSettings } from "../../caching/settings.ts";
import { GatewayError } from "../../errors.ts";
import { type CacheOptions, cacheSettingsOf, defaultCheckThreshold } from "../../options/cache.ts";
import type { AnswerListQuestion, AnswerPage, AnswerSize } from "../../ports/answers.ts";
import type { Provider } from "../../ports/provider.ts";
import type { Target } from "../../routing/plan.ts";
import { accessOf } from "../call/authenticate.ts";
import { checkCallOptions } from "../call/options.ts";
import type { AnswerCacheSettings, HitCheck } from "../runtime/answer-cache.ts";
import { callPort } from "../runtime/port-call.ts";
import type { Ports } from "../runtime/ports.ts";

/** Administration of cached answers. */
export interface AnswerCacheAdmin {
  /** Forgets an answer by the `cache_id` of `cache_debug`, with a scope only one of it; resolves to whether it was there. */
  delete(cacheId: string, within?: CacheScope): Promise<boolean>;
  /** Forgets the answers of a scope: `key:<id>`, `project:<id>`, `customer:<id>`, or `trusted`; resolves to their number. */
  clear(scope: CacheScope): Promise<number>;
  /** Lists the answers of a scope, those that expire first in front. Throws `invalid_configuration` where the cache cannot list. */
  list(scope: CacheScope, page: Omit<AnswerListQuestion, "now">): Promise<AnswerPage>;
  /** The size of a scope; `undefined` where the cache cannot tell, or there is none. */
  size(scope: CacheScope): Promise<AnswerSize | undefined>;
  /** What is configured; `undefined` without a cache. */
  readonly settings: (CacheSettings & { readonly isSemantic: boolean }) | undefined;
  /**
   * The scope whose answers a caller with this key is given, without one the trusted caller; `undefined` where none are stored.
   * Throws the refusal that a call of the key would get.
   */
  scopeOf(key: string | undefined): Promise<CacheScope | undefined>;
}

/** The cache settings of an engine; throws `invalid_configuration` when no provider can embed. */
export function openAnswerCache(
  options: CacheOptions | undefined,
  providers: ReadonlyMap<string, Provider>,
): AnswerCacheSettings | undefined {
  if (!options) return undefined;
  const { answers, vectors, embed, opposites = [], shadow: isShadow = false } = options;
  const check = checkOf(options.check, providers);
  const semantic =
    vectors && embed !== undefined
      ? { vectors, embed: embedderOf(embed, providers), opposites, isShadow, check }
      : undefined;
  return { answers, settings: cacheSettingsOf(options), semantic };
}

function embedderOf(name: string, providers: ReadonlyMap<string, Provider>): Target {
  const target = targetOf(name);
  if (providers.get(target.provider)?.embed) return target;
  const message = `\`cache.embed\`: no provider \`${target.provider}\` that embeds is configured.`;
  throw new GatewayError("invalid_configuration", message, { param: "cache.embed" });
}

function checkOf(check: CacheOptions["check"], providers: ReadonlyMap<string, Provider>): HitCheck | undefined {
  if (check === undefined) return undefined;
  const target = targetOf(check.model);
  const provider = providers.get(target.provider);
  if (provider?.chat || provider?.decide) return { target, threshold: check.threshold ?? defaultCheckThreshold };
  const message = `\`cache.check.model\`: no provider \`${target.provider}\` that decides is configured.`;
  throw new GatewayError("invalid_configuration", message, { param: "cache.check.model" });
}

/** `provider/model`, as the shape of the options has it. */
function targetOf(name: string): Target {
  const slash = name.indexOf("/");
  return { name, provider: name.slice(0, slash), model: name.slice(slash + 1) };
}

/** Administration of cached answers; without a cache, deletions throw `invalid_configuration`. */
export function answerCacheAdmin(ports: Ports): AnswerCacheAdmin {
  const { cache, accounting, clock } = ports;
  const { timeouts } = accounting;
  const opened = (): AnswerCacheSettings => {
    if (cache) return cache;
    const message = "`cache`: the engine keeps no answers; give it `cache: { answers: memoryCache() }`.";
    throw new GatewayError("invalid_configuration", message, { param: "cache" });
  };
  return {
    async delete(cacheId, within) {
      const { answers, semantic } = opened();
      const location = readAnswerName(String(cacheId));
      if (!location || (within !== undefined && location.scope !== within)) return false;
      const { scope, id } = location;
      await callPort("cache", () => semantic?.vectors.delete(scope, id), timeouts.long);
      return callPort("cache", () => answers.delete(scope, id), timeouts.long);
    },
    async clear(scope) {
      const { answers, semantic } = opened();
      await callPort("cache", () => semantic?.vectors.clear(scope), timeouts.long);
      return callPort("cache", () => answers.clear(scope), timeouts.long);
    },
    async list(scope, page) {
      const { answers } = opened();
      const now = clock.now();
      const listed = await callPort("cache", () => answers.list?.(scope, { ...page, now }), timeouts.long);
      if (listed) return listed;
      throw new GatewayError("invalid_configuration", "`cache`: this cache cannot list its answers.", {
        param: "cache",
      });
    },
    size: (scope) => callPort("cache", () => cache?.answers.size?.(scope, clock.now()), timeouts.long),
    settings: cache && { ...cache.settings, isSemantic: cache.semantic !== undefined },
    async scopeOf(key) {
      checkCallOptions({ key });
      const access = await accessOf(ports, key);
      return cache && scopeOf(access, cache.settings.sharing);
    },
  };
}
