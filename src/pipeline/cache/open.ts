import { type CacheScope, readAnswerName, scopeOf } from "../../cache/scope.ts";
import { GatewayError } from "../../errors.ts";
import { type CacheOptions, cacheTermsOf } from "../../options/cache.ts";
import type { Provider } from "../../ports.ts";
import type { Target } from "../../route/plan.ts";
import { checkCallOptions } from "../call-options.ts";
import { heed } from "../heed.ts";
import { accessOf } from "../identify.ts";
import type { Ports } from "../ports.ts";
import type { CacheBook } from "./book.ts";

/** What is kept of answers, as functions. */
export interface KeptAnswers {
  /** Forgets an answer by the `cache_id` of `cache_debug`, with a scope only one of it; resolves to whether it was there. */
  delete(cacheId: string, within?: CacheScope): Promise<boolean>;
  /** Forgets the answers of a scope: `key:<id>`, `project:<id>`, `customer:<id>`, or `trusted`; resolves to their number. */
  clear(scope: CacheScope): Promise<number>;
  /**
   * The scope whose answers a caller with this key is given, without one the trusted caller; `undefined` where none are kept. Throws what
   * a call of the key would be refused with.
   */
  scopeOf(key: string | undefined): Promise<CacheScope | undefined>;
}

/** The book of an engine with a cache; throws `invalid_configuration` when nobody can embed. */
export function openCacheBook(
  options: CacheOptions | undefined,
  providers: ReadonlyMap<string, Provider>,
): CacheBook | undefined {
  if (!options) return undefined;
  const { answers, vectors, embed } = options;
  const semantic = vectors && embed !== undefined ? { vectors, embed: embedderOf(embed, providers) } : undefined;
  return { answers, terms: cacheTermsOf(options), semantic, flights: new Map() };
}

function embedderOf(name: string, providers: ReadonlyMap<string, Provider>): Target {
  const slash = name.indexOf("/");
  const target = { name, provider: name.slice(0, slash), model: name.slice(slash + 1) };
  if (providers.get(target.provider)?.embed) return target;
  const message = `\`cache.embed\`: no provider \`${target.provider}\` that embeds is configured.`;
  throw new GatewayError("invalid_configuration", message, { param: "cache.embed" });
}

/** What is kept of answers, as functions; without a cache those that forget throw `invalid_configuration`. */
export function keptAnswers(ports: Ports): KeptAnswers {
  const { cache: book, books } = ports;
  const { patience } = books;
  const opened = (): CacheBook => {
    if (book) return book;
    const message = "`cache`: the engine keeps no answers; give it `cache: { answers: memoryCache() }`.";
    throw new GatewayError("invalid_configuration", message, { param: "cache" });
  };
  return {
    async delete(cacheId, within) {
      const { answers, semantic } = opened();
      const place = readAnswerName(String(cacheId));
      if (!place || (within !== undefined && place.scope !== within)) return false;
      const { scope, id } = place;
      await heed("cache", () => semantic?.vectors.delete(scope, id), patience.long);
      return heed("cache", () => answers.delete(scope, id), patience.long);
    },
    async clear(scope) {
      const { answers, semantic } = opened();
      await heed("cache", () => semantic?.vectors.clear(scope), patience.long);
      return heed("cache", () => answers.clear(scope), patience.long);
    },
    async scopeOf(key) {
      checkCallOptions({ key });
      const access = await accessOf(ports, key);
      return book && scopeOf(access, book.terms.sharing);
    },
  };
}
