import { LRUCache } from "lru-cache";
import type { AnswerCache, CachedAnswer, ListedAnswer } from "../../src/engine/ports/answers.ts";
import { positive } from "../../src/engine/runtime/checks.ts";
import { cutAnswers, showListed } from "../shared/answer-pages.ts";
import { checkedOptions } from "../shared/options.ts";

/** How much memory the answers may take. */
export interface MemoryCacheOptions {
  /** Bytes of all answers together, 64 MB by default; those that were not asked for the longest go first. */
  readonly maxBytes?: number | undefined;
}

/** What an answer takes beside its text: keys, numbers and a place in the list, as V8 keeps them. */
const overhead = 512;

/** Two bytes a character, as V8 keeps any text that has one beyond Latin-1: the bound, not the average. */
const perCharacter = 2;

/** Answers in the memory of this process, gone with it. */
export function memoryCache(options: MemoryCacheOptions = {}): AnswerCache {
  const { maxBytes = 64_000_000 } = checkedOptions(options, { maxBytes: positive }, { of: "memoryCache" });
  /** Ids by scope, to clear one without reading all. */
  const scopes = new Map<string, Set<string>>();
  const answers = new LRUCache<string, CachedAnswer>({
    maxSize: maxBytes,
    maxEntrySize: maxBytes,
    sizeCalculation: sizeOf,
    dispose: (_answer, name, reason) => {
      if (reason !== "set") forget(scopes, name);
    },
  });
  const listed = (scope: string): ListedAnswer[] =>
    [...(scopes.get(scope) ?? [])].flatMap((id) => {
      const answer = answers.peek(nameOf(scope, id));
      return answer ? [{ ...showListed(answer), id, bytes: sizeOf(answer, nameOf(scope, id)) }] : [];
    });
  return {
    get(scope, id, now) {
      const name = nameOf(scope, id);
      const answer = answers.get(name);
      if (answer === undefined || now < answer.expiresAt) return answer;
      answers.delete(name);
      return undefined;
    },
    put(scope, id, answer) {
      const name = nameOf(scope, id);
      answers.set(name, answer);
      if (answers.has(name)) remember(scopes, scope, id);
      else forget(scopes, name); // too large
    },
    delete: (scope, id) => answers.delete(nameOf(scope, id)),
    clear(scope) {
      const ids = [...(scopes.get(scope) ?? [])];
      for (const id of ids) answers.delete(nameOf(scope, id));
      return ids.length;
    },
    list: (scope, question) => cutAnswers(listed(scope), question),
    size(scope, now) {
      const valid = listed(scope).filter(({ expiresAt }) => expiresAt > now);
      return { answers: valid.length, bytes: valid.reduce((sum, { bytes }) => sum + bytes, 0) };
    },
  };
}

/** One name for both, which no other pair has: the scope's length says where the id begins. */
function nameOf(scope: string, id: string): string {
  return `${scope.length}:${scope}${id}`;
}

function sizeOf({ body, provider, deployment, warnings, question = "" }: CachedAnswer, name: string): number {
  let characters = name.length * 2 + body.length + provider.length + deployment.length + question.length;
  for (const warning of warnings) characters += warning.length;
  return overhead + characters * perCharacter;
}

function remember(scopes: Map<string, Set<string>>, scope: string, id: string): void {
  const ids = scopes.get(scope);
  if (ids) ids.add(id);
  else scopes.set(scope, new Set([id]));
}

function forget(scopes: Map<string, Set<string>>, name: string): void {
  const colon = name.indexOf(":");
  const end = colon + 1 + Number(name.slice(0, colon));
  const scope = name.slice(colon + 1, end);
  const ids = scopes.get(scope);
  ids?.delete(name.slice(end));
  if (ids?.size === 0) scopes.delete(scope);
}
