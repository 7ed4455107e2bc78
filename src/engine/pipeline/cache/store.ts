import type { ChatChunk } from "../../api/chat.ts";
import type { ExtraFields } from "../../api/common.ts";
import type { Usage } from "../../api/usage.ts";
import { isComplete } from "../../caching/complete.ts";
import { nameAnswer } from "../../caching/scope.ts";
import { mergeChunks } from "../../metering/merge-chunks.ts";
import { fromDollars } from "../../metering/money.ts";
import type { CachedAnswer } from "../../ports/answers.ts";
import { type CacheLookup, emitCache, locationFor, mayWrite } from "./lookup.ts";
import { waitFor } from "./same-question.ts";
import type { Embedded } from "./similar-question.ts";
import type { Hit } from "./single-flight.ts";

/** A whole answer as delivered. */
export interface DeliveredAnswer {
  readonly usage?: Usage | undefined;
  readonly extra_fields?: ExtraFields | undefined;
}

/** The delivered answer, as others get it; not stored yet. */
export function hitOf(lookup: CacheLookup, delivered: DeliveredAnswer): Hit {
  const { call, settings } = lookup;
  const { usage, extra_fields, ...answer } = delivered;
  const { cost, ...counted } = usage ?? {};
  const now = call.ports.clock.now();
  const stored: CachedAnswer = {
    body: JSON.stringify(usage ? { ...answer, usage: counted } : answer),
    provider: extra_fields?.provider ?? lookup.target.provider,
    deployment: extra_fields?.model_deployment ?? lookup.target.model,
    cost: cost ? fromDollars(cost.total_cost) : 0,
    warnings: (extra_fields?.warnings ?? []).filter((warning) => !isOfOneCall.test(warning)),
    storedAt: now,
    expiresAt: now + settings.ttl,
  };
  return { type: "direct", answer: stored, name: undefined };
}

/** Warnings that say something of one call and not of the answer. */
const isOfOneCall = /^(?:unpriced|cache): /;

/**
 * Stores an answer under the target that served it, if it is complete; returns the hit with the name that it is stored under. A
 * failure costs no caller the answer: it is emitted as an event.
 */
export async function storeAnswer(lookup: CacheLookup, delivered: DeliveredAnswer, embedded?: Embedded): Promise<Hit> {
  const hit = hitOf(lookup, delivered);
  const served = lookup.call.result?.target;
  if (!mayWrite(lookup) || served === undefined || !isComplete(lookup.kind, delivered)) return hit;
  const location = locationFor(lookup, served);
  if (!location) return hit;
  const { scope, id } = location;
  const name = nameAnswer(scope, id);
  try {
    const { answers, semantic } = lookup.cache;
    const compared = embedded ? { ...hit.answer, question: embedded.text } : hit.answer;
    await waitFor(lookup, answers.put(scope, id, compared));
    // An answer of another target is of no use to questions like this one: they look for the first target's.
    if (embedded && semantic && served === lookup.target.name)
      await waitFor(lookup, semantic.vectors.put(scope, { space: embedded.space, id, vector: embedded.vector }));
    emitCache(lookup, () => ({ result: "kept", cache_id: name }));
    return { ...hit, name };
  } catch (error) {
    emitCache(lookup, () => ({ result: "failed", error }));
    return hit;
  }
}

/**
 * The whole answer of a stream, as its caller received it; `undefined` when it must not be stored: more than one target answered,
 * or something was lost on the way, which a stream says in a warning after its first chunk.
 */
export function wholeOf(chunks: readonly ChatChunk[], usage: Usage | undefined): DeliveredAnswer | undefined {
  const [first, ...rest] = chunks;
  if (!first) return undefined;
  const { provider, model_deployment } = first.extra_fields ?? {};
  const isWhole = rest.every(
    ({ extra_fields: extra }) =>
      extra?.provider === provider && extra?.model_deployment === model_deployment && !extra?.warnings,
  );
  if (!isWhole) return undefined;
  return { ...mergeChunks(chunks), ...(usage ? { usage } : {}), extra_fields: first.extra_fields };
}
