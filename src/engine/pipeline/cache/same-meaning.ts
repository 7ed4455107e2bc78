import type { FindDifference } from "../../caching/difference.ts";
import { nameAnswer } from "../../caching/scope.ts";
import type { Neighbour } from "../../ports/vectors.ts";
import type { Semantic } from "../runtime/answer-cache.ts";
import type { CheckedPair } from "./check-hit.ts";
import { type CacheLookup, emitCache } from "./lookup.ts";
import { isFresh, waitFor } from "./same-question.ts";
import type { Hit } from "./single-flight.ts";

/** A neighbour of a question. */
interface ComparedHit {
  readonly hit: Hit;
  /** The question, as it was embedded. */
  readonly text: string;
  readonly semantic: Semantic;
}

/**
 * True when a neighbour's answer may be given: it is young enough, nothing that vectors hardly see differs between the two questions, the cache is no
 * shadow, and the model that checks hits agrees, where there is one. In shadow mode the would-be hit is emitted with both questions, and the call goes on as after a miss.
 */
export async function isUsable(lookup: CacheLookup, { hit, text, semantic }: ComparedHit): Promise<boolean> {
  const { question } = hit.answer;
  if (question === undefined || !isFresh(hit.answer, lookup.settings, lookup.call.ports.clock.now())) return false;
  const find = await finderOf(semantic);
  if (find(question, text) !== undefined) return false;
  if (!semantic.isShadow) return isConfirmedBy(lookup, semantic, { answered: question, asked: text });
  const { similarity } = hit.facts ?? {};
  emitCache(lookup, () => ({
    result: "would_hit",
    hit_type: "semantic",
    ...(hit.name === undefined ? {} : { cache_id: hit.name }),
    ...(similarity === undefined ? {} : { similarity }),
    pair: [question, text],
  }));
  return false;
}

/** The check is loaded with the first hit that needs one. */
async function isConfirmedBy(lookup: CacheLookup, { check }: Semantic, pair: CheckedPair): Promise<boolean> {
  if (check === undefined) return true;
  return (await import("./check-hit.ts")).isConfirmed(lookup, check, pair);
}

// The words of an owner live as long as the settings; the built-in ones are loaded with the first neighbour.
const finders = new WeakMap<Semantic, FindDifference>();

async function finderOf(semantic: Semantic): Promise<FindDifference> {
  const known = finders.get(semantic);
  if (known) return known;
  const { differenceFinder } = await import("../../caching/difference.ts");
  const find = differenceFinder(semantic.opposites);
  finders.set(semantic, find);
  return find;
}

/** The answer to a neighbour's question; `undefined` where it is gone. */
export async function readNeighbour(lookup: CacheLookup, { id, similarity }: Neighbour) {
  const { cache, call, location } = lookup;
  const { scope } = location;
  const answer = await waitFor(lookup, cache.answers.get(scope, id, call.ports.clock.now()));
  if (!answer) return undefined;
  const { threshold, provider_used, model_used, input_tokens } = call.cache?.debug ?? {};
  const facts = { threshold, similarity, provider_used, model_used, input_tokens };
  const known = Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined));
  const hit: Hit = { type: "semantic", answer, name: nameAnswer(scope, id), facts: known };
  return hit;
}
