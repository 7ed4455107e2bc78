import { hash } from "node:crypto";
import type { AnswerCache, AnswerListQuestion, ListedAnswer } from "../../../src/engine/ports/answers.ts";
import { type Check, positive, text } from "../../../src/engine/runtime/checks.ts";
import { cutAnswers, isBehind, readPlace, showListed } from "../../shared/answer-pages.ts";
import { createBackoffGuard } from "../../shared/backoff-guard.ts";
import { type Checks, checkedOptions } from "../../shared/options.ts";
import { createRunner, type RedisClient } from "../../shared/redis/runner.ts";
import { clearedAtOnce, clearScript, deleteScript, listedAtOnce, listScript, putScript } from "./scripts.ts";
import { readAnswer, writeAnswer } from "./value.ts";

/** What is used of a client of `redis`: reading one key, and scripts. */
export interface RedisCacheClient extends RedisClient {
  get(key: string): Promise<unknown>;
}

/** Where answers are kept. */
export interface RedisCacheOptions {
  /** A connected client of `redis` or `@redis/client`, version 6, or what has the same three methods. It stays the caller's, who closes it. */
  readonly client: RedisCacheClient;
  /** What the names of all keys begin with, `tollgate:cache:` by default. Engines with the same prefix share answers. */
  readonly prefix?: string | undefined;
  /** Bytes of the largest answer that is kept, 1 MB by default. How much is kept in all is the server's `maxmemory` and its policy. */
  readonly maxAnswerBytes?: number | undefined;
}

const client: Check = [isClient, "a client of redis, with `get`, `eval` and `evalSha`"];
const checks: Checks<RedisCacheOptions> = { client, prefix: text, maxAnswerBytes: positive };

function isClient(value: unknown): boolean {
  const { get, eval: byText, evalSha } = Object(value);
  return [get, byText, evalSha].every((method) => typeof method === "function");
}

/** The form of names and values. Another one is another name, so that versions that differ never read each other's. */
const form = "1";

/** Milliseconds for which the server keeps expired entries: expiry follows the caller's clock, and clocks differ. */
const graceMs = 60_000;

/**
 * Answers in a Redis server (tested with 7.0), which all engines that use it share, and which outlive them. An unreachable server
 * delays a call by a quarter of a second at most, and only one call in five seconds: the others fail at once.
 */
export function redisCache(options: RedisCacheOptions): AnswerCache {
  const needs = ["client"] as const;
  const {
    client,
    prefix = "tollgate:cache:",
    maxAnswerBytes = 1_000_000,
  } = checkedOptions(options, checks, { of: "redisCache", needs });
  const run = createRunner(client);
  const guard = createBackoffGuard({ what: "The cache in Redis", timeoutMs: 250 });
  const scopeOf = (scope: string) => `${prefix}${form}:{${hash("sha256", scope.toWellFormed(), "base64url")}}`;
  const keysOf = (scope: string, id: string): [answer: string, index: string] => {
    const context = scopeOf(scope);
    return [`${context}:${id}`, context];
  };
  const remove = async (scope: string, id: string) => (await run(deleteScript, keysOf(scope, id), [id])) === 1;
  const listed = (scope: string, question: AnswerListQuestion) => readAnswers(run, scopeOf(scope), question);
  return {
    async get(scope, id, now) {
      const [name] = keysOf(scope, id);
      const found = await guard(now, () => client.get(name));
      if (typeof found !== "string") return undefined;
      const answer = readAnswer(found);
      if (!answer) await guard(now, () => remove(scope, id));
      return answer && now < answer.expiresAt ? answer : undefined;
    },
    async put(scope, id, answer) {
      const { storedAt, expiresAt } = answer;
      const value = writeAnswer(answer);
      if (Buffer.byteLength(value) > maxAnswerBytes) return void (await guard(storedAt, () => remove(scope, id)));
      const lifeMs = Math.ceil(Math.max(1, expiresAt - storedAt)) + graceMs;
      await guard(storedAt, () =>
        run(putScript, keysOf(scope, id), [value, lifeMs, id, expiresAt + graceMs, storedAt]),
      );
    },
    delete: remove,
    async clear(scope) {
      const context = scopeOf(scope);
      let removed = 0;
      for (let isMore = true; isMore; ) {
        const [seen, gone] = (await run(clearScript, [context], [`${context}:`, clearedAtOnce])) as [number, number];
        removed += gone;
        isMore = seen === clearedAtOnce;
      }
      return removed;
    },
    list: async (scope, question) => cutAnswers(await listed(scope, question), question),
    size: async (scope, now) => sizeOf(await listed(scope, { limit: Number.MAX_SAFE_INTEGER, now })),
  };
}

function sizeOf(answers: readonly { readonly bytes: number }[]) {
  return { answers: answers.length, bytes: answers.reduce((sum, { bytes }) => sum + bytes, 0) };
}

/** Reads the answers of a scope from a place on, at least one more than a page where there are as many. */
async function readAnswers(
  run: ReturnType<typeof createRunner>,
  context: string,
  { limit, after, now }: AnswerListQuestion,
): Promise<ListedAnswer[]> {
  const place = readPlace(after);
  const least = Math.max(place.expiresAt, now) + graceMs;
  const found: ListedAnswer[] = [];
  for (let seen = 0, isMore = true; isMore && found.length <= limit; ) {
    const rows = await run(listScript, [context], [`${context}:`, least, seen, listedAtOnce]);
    const [count, values] = rows as [number, [id: string, line: string, bytes: number][]];
    for (const [id, line, bytes] of values) {
      const answer = readAnswer(line);
      if (answer && answer.expiresAt > now && isBehind({ ...answer, id }, place))
        found.push({ ...showListed(answer), id, bytes });
    }
    seen += count;
    isMore = count === listedAtOnce;
  }
  return found;
}
