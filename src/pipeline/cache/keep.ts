import type { ChatChunk } from "../../api/chat.ts";
import type { ExtraFields } from "../../api/common.ts";
import type { Usage } from "../../api/usage.ts";
import { isComplete } from "../../cache/complete.ts";
import { nameAnswer } from "../../cache/scope.ts";
import type { KeptAnswer } from "../../ports/answers.ts";
import { foldChunks } from "../../usage/fold.ts";
import { fromDollars } from "../../usage/money.ts";
import type { Hit } from "./flight.ts";
import { announceCache, type Inquiry, mayWrite, placeFor } from "./inquiry.ts";
import { waitFor } from "./lookup.ts";
import type { Embedded } from "./nearest.ts";

/** A whole answer as it was told. */
export interface ToldAnswer {
  readonly usage?: Usage | undefined;
  readonly extra_fields?: ExtraFields | undefined;
}

/** The answer that was told, as it is given to others; not kept yet. */
function hitOf(inquiry: Inquiry, told: ToldAnswer): Hit {
  const { call, terms } = inquiry;
  const { usage, extra_fields, ...answer } = told;
  const { cost, ...counted } = usage ?? {};
  const now = call.ports.clock.now();
  const kept: KeptAnswer = {
    body: JSON.stringify(usage ? { ...answer, usage: counted } : answer),
    provider: extra_fields?.provider ?? inquiry.target.provider,
    deployment: extra_fields?.model_deployment ?? inquiry.target.model,
    cost: cost ? fromDollars(cost.total_cost) : 0,
    warnings: (extra_fields?.warnings ?? []).filter((warning) => !isOfOneCall.test(warning)),
    keptAt: now,
    expiresAt: now + terms.ttl,
  };
  return { type: "direct", answer: kept, name: undefined };
}

/** Warnings that say something of one call and not of the answer. */
const isOfOneCall = /^(?:unpriced|cache): /;

/**
 * Keeps an answer where the target that served is asked for, if it is complete; gives the hit with the name that it is kept under. What
 * goes wrong costs nobody the answer: it is told as an event.
 */
export async function keep(inquiry: Inquiry, told: ToldAnswer, embedded?: Embedded): Promise<Hit> {
  const hit = hitOf(inquiry, told);
  const served = inquiry.call.ending?.target;
  if (!mayWrite(inquiry) || served === undefined || !isComplete(inquiry.kind, told)) return hit;
  const place = placeFor(inquiry, served);
  if (!place) return hit;
  const { scope, id } = place;
  const name = nameAnswer(scope, id);
  try {
    const { answers, semantic } = inquiry.book;
    await waitFor(inquiry, answers.put(scope, id, hit.answer));
    // An answer of another target is of no use to questions like this one: they look for the first target's.
    if (embedded && semantic && served === inquiry.target.name)
      await waitFor(inquiry, semantic.vectors.put(scope, { space: embedded.space, id, vector: embedded.vector }));
    announceCache(inquiry, () => ({ result: "kept", cache_id: name }));
    return { ...hit, name };
  } catch (error) {
    announceCache(inquiry, () => ({ result: "failed", error }));
    return hit;
  }
}

/**
 * The whole answer that a stream amounted to, as it was told to its caller; `undefined` when it must not be kept: more than one target
 * spoke, or something was lost on the way, which a stream says in a warning after its first chunk.
 */
export function wholeOf(chunks: readonly ChatChunk[], usage: Usage | undefined): ToldAnswer | undefined {
  const [first, ...rest] = chunks;
  if (!first) return undefined;
  const { provider, model_deployment } = first.extra_fields ?? {};
  const isWhole = rest.every(
    ({ extra_fields: extra }) =>
      extra?.provider === provider && extra?.model_deployment === model_deployment && !extra?.warnings,
  );
  if (!isWhole) return undefined;
  return { ...foldChunks(chunks), ...(usage ? { usage } : {}), extra_fields: first.extra_fields };
}
