import { hash } from "node:crypto";
import type { AnswerCache } from "../../../src/ports/answers.ts";
import { type Check, positive, text } from "../../../src/ports/checks.ts";
import { createGuard } from "../../shared/guard.ts";
import { type Checks, given } from "../../shared/options.ts";
import { createRunner, type RedisClient } from "../../shared/redis/runner.ts";
import { clearedAtOnce, clearScript, deleteScript, putScript } from "./scripts.ts";
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

/** Milliseconds for which the server keeps what has expired: it is told by the caller's clock, and clocks differ. */
const graceMs = 60_000;

/**
 * Answers in a Redis server (tested with 7.0), which all engines that use it share, and which outlive them. A server that is out of
 * reach costs a call a quarter of a second at most, and only one call in five seconds: the others are told at once.
 */
export function redisCache(options: RedisCacheOptions): AnswerCache {
  const needs = ["client"] as const;
  const {
    client,
    prefix = "tollgate:cache:",
    maxAnswerBytes = 1_000_000,
  } = given(options, checks, { of: "redisCache", needs });
  const run = createRunner(client);
  const guard = createGuard({ what: "The cache in Redis", patienceMs: 250 });
  const placeOf = (scope: string) => `${prefix}${form}:{${hash("sha256", scope.toWellFormed(), "base64url")}}`;
  const keysOf = (scope: string, id: string): [answer: string, index: string] => {
    const place = placeOf(scope);
    return [`${place}:${id}`, place];
  };
  const remove = async (scope: string, id: string) => (await run(deleteScript, keysOf(scope, id), [id])) === 1;
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
      const { keptAt, expiresAt } = answer;
      const value = writeAnswer(answer);
      if (Buffer.byteLength(value) > maxAnswerBytes) return void (await guard(keptAt, () => remove(scope, id)));
      const lifeMs = Math.ceil(Math.max(1, expiresAt - keptAt)) + graceMs;
      await guard(keptAt, () => run(putScript, keysOf(scope, id), [value, lifeMs, id, expiresAt + graceMs, keptAt]));
    },
    delete: remove,
    async clear(scope) {
      const place = placeOf(scope);
      let forgotten = 0;
      for (let isMore = true; isMore; ) {
        const [seen, gone] = (await run(clearScript, [place], [`${place}:`, clearedAtOnce])) as [number, number];
        forgotten += gone;
        isMore = seen === clearedAtOnce;
      }
      return forgotten;
    },
  };
}
