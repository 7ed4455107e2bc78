import type { ChatRequest } from "../../api/chat.ts";
import type { EmbeddingResponse } from "../../api/embeddings.ts";
import { nameAnswer } from "../../cache/scope.ts";
import { type ComparableChat, comparableChat } from "../../cache/semantic.ts";
import { GatewayError, toGatewayError } from "../../errors.ts";
import type { Neighbour } from "../../ports/vectors.ts";
import type { Provider } from "../../ports.ts";
import type { Target } from "../../route/plan.ts";
import type { Call } from "../call.ts";
import { closeWhole } from "../deliver.ts";
import { closeMidway } from "../tab.ts";
import { askTarget } from "../target.ts";
import * as verbs from "../verbs.ts";
import type { Semantic } from "./book.ts";
import type { Hit } from "./flight.ts";
import type { Inquiry } from "./inquiry.ts";
import { isFresh, tellFailure, waitFor } from "./lookup.ts";

/** A chat as a vector. */
export interface Embedded {
  readonly space: string;
  readonly vector: readonly number[];
}

/** Neighbours whose answers have expired that are passed over in one search. */
const mostStale = 4;

/**
 * The chat as a vector, where similar questions count and this one may have any. Asking the embedding model is a part of the call: its
 * cost is on the call's bill and budgets. When it fails, the chat has no vector, and the answer says so in a warning.
 */
export async function embedChat(inquiry: Inquiry): Promise<Embedded | undefined> {
  const { book, kind, request, target, call } = inquiry;
  if (!book.semantic || kind !== "chat") return undefined;
  const { embed } = book.semantic;
  const chat = comparableChat(request as ChatRequest, { target: target.name, embed: embed.name }); // the kind says so
  if (!chat) return undefined;
  const { asked } = call;
  try {
    return { space: chat.space, vector: await askForVector(call, embed, chat) };
  } catch (error) {
    if (call.cancelled) throw call.cancelled;
    const { message } = toGatewayError(error);
    if (call.cache) call.cache.warning = `cache: similar questions were not looked for: ${message}`;
    return tellFailure(inquiry, error);
  } finally {
    call.asked = asked;
  }
}

async function askForVector(call: Call, embed: Target, { text }: ComparableChat): Promise<readonly number[]> {
  const request = { model: embed.name, input: text };
  call.asked = { kind: verbs.embed.requestType, request, bound: () => verbs.embed.bound(request, undefined) };
  const outcome = await askTarget(call, embed, (provider, attempt) =>
    verbs.embed.ask(provider as Required<Provider>, request, attempt),
  );
  if ("error" in outcome) throw outcome.error;
  const usage = closeWhole(call, outcome, closeMidway);
  if (call.cache) {
    const { provider: provider_used, model: model_used } = embed;
    const input_tokens = usage?.prompt_tokens;
    Object.assign(call.cache.debug, {
      provider_used,
      model_used,
      ...(input_tokens === undefined ? {} : { input_tokens }),
    });
  }
  return vectorOf(outcome.answer, embed);
}

/** The one vector of an answer: numbers, or base64 of little-endian float32. */
function vectorOf({ data: [first] }: EmbeddingResponse, { name }: Target): readonly number[] {
  const embedding = first?.embedding;
  if (typeof embedding === "string") {
    const bytes = Buffer.from(embedding, "base64");
    return Array.from({ length: Math.floor(bytes.length / 4) }, (_, position) => bytes.readFloatLE(position * 4));
  }
  if (embedding && typeof embedding[0] === "number") return embedding as readonly number[];
  throw new GatewayError("upstream_invalid_response", `${name} gave no vector to compare by.`);
}

/** The kept answer to the most similar question, if one is similar enough. */
export async function findSimilar(inquiry: Inquiry, { space, vector }: Embedded): Promise<Hit | undefined> {
  const { book, terms, place, call } = inquiry;
  const { threshold } = terms;
  if (call.cache) call.cache.debug.threshold = threshold;
  const { vectors } = book.semantic as Semantic; // there is a vector
  try {
    for (let stale = 0; stale < mostStale; stale++) {
      const neighbour = await waitFor(inquiry, vectors.nearest(place.scope, { space, vector, atLeast: threshold }));
      if (!neighbour) return undefined;
      const hit = await readNeighbour(inquiry, neighbour);
      if (hit) return isFresh(hit.answer, terms, call.ports.clock.now()) ? hit : undefined;
      await waitFor(inquiry, vectors.delete(place.scope, neighbour.id));
    }
  } catch (error) {
    tellFailure(inquiry, error);
  }
  return undefined;
}

async function readNeighbour(inquiry: Inquiry, { id, similarity }: Neighbour) {
  const { book, call, place } = inquiry;
  const { scope } = place;
  const answer = await waitFor(inquiry, book.answers.get(scope, id, call.ports.clock.now()));
  if (!answer) return undefined;
  const { threshold, provider_used, model_used, input_tokens } = call.cache?.debug ?? {};
  const facts = { threshold, similarity, provider_used, model_used, input_tokens };
  const known = Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined));
  const hit: Hit = { type: "semantic", answer, name: nameAnswer(scope, id), facts: known };
  return hit;
}
