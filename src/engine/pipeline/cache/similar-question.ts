import type { ChatRequest } from "../../api/chat.ts";
import type { EmbeddingResponse } from "../../api/embeddings.ts";
import { type ComparableChat, comparableChat } from "../../caching/semantic.ts";
import { GatewayError, toGatewayError } from "../../errors.ts";
import type { Provider } from "../../ports/provider.ts";
import type { Target } from "../../routing/plan.ts";
import { settleEarly } from "../accounting/charge.ts";
import { askTarget } from "../attempts/target.ts";
import type { Call } from "../call/call.ts";
import { settleWhole } from "../delivery/whole.ts";
import type { Semantic } from "../runtime/answer-cache.ts";
import * as verbs from "../verbs/retrieval.ts";
import type { CacheLookup } from "./lookup.ts";
import { isUsable, readNeighbour } from "./same-meaning.ts";
import { reportFailure, waitFor } from "./same-question.ts";

import type { Hit } from "./single-flight.ts";

/** A chat as a vector. */
export interface Embedded {
  readonly space: string;
  readonly vector: readonly number[];
  /** What was embedded. */
  readonly text: string;
}

/** Neighbours with expired answers that one search skips. */
const mostStale = 4;

/**
 * The chat as a vector, where similar questions count and this one may have any. Asking the embedding model is a part of the call: its
 * cost is on the call's bill and budgets. When it fails, the chat has no vector, and the answer says so in a warning.
 */
export async function embedChat(lookup: CacheLookup): Promise<Embedded | undefined> {
  const { cache, kind, request, target, call } = lookup;
  if (!cache.semantic || kind !== "chat") return undefined;
  const { embed } = cache.semantic;
  const mostCharacters = charactersOf(call, embed);
  const chat = comparableChat(request as ChatRequest, { target: target.name, embed: embed.name, mostCharacters }); // the kind says so
  if (!chat) return undefined;
  const { facts } = call;
  try {
    const vector = await askForVector(call, embed, chat);
    return vector && { space: chat.space, vector, text: chat.text };
  } catch (error) {
    if (call.cancelled) throw call.cancelled;
    const { message } = toGatewayError(error);
    if (call.cache) call.cache.warning = `cache: similar questions were not looked for: ${message}`;
    return reportFailure(lookup, error);
  } finally {
    call.facts = facts;
  }
}

/** Characters of a token, for texts that are to be read whole whatever their language. */
const perToken = 3;

/** Characters that the embedding model reads for certain; `undefined` where its size is unknown. */
function charactersOf({ ports, startedAt }: Call, { provider, model }: Target): number | undefined {
  const most = ports.accounting.prices.find(provider, model, startedAt)?.max_input_tokens;
  return most === undefined ? undefined : most * perToken;
}

/** The vector of a chat; `undefined` where the model did not read all of it. */
async function askForVector(
  call: Call,
  embed: Target,
  { text }: ComparableChat,
): Promise<readonly number[] | undefined> {
  const request = { model: embed.name, input: text, truncate: "end" };
  call.facts = { kind: verbs.embed.requestType, request, bound: () => verbs.embed.bound(request, undefined) };
  const outcome = await askTarget({ call, targets: [embed], next: 1 }, embed, (provider, attempt) =>
    verbs.embed.ask(provider as Required<Provider>, request, attempt),
  );
  if ("error" in outcome) throw outcome.error;
  const usage = settleWhole(call, outcome, settleEarly);
  if (call.cache) {
    const { provider: provider_used, model: model_used } = embed;
    const input_tokens = usage?.prompt_tokens;
    Object.assign(call.cache.debug, {
      provider_used,
      model_used,
      ...(input_tokens === undefined ? {} : { input_tokens }),
    });
  }
  const isCutOff = outcome.attempt.warnings.some((warning) => warning.startsWith("`input"));
  return isCutOff ? undefined : vectorOf(outcome.answer, embed);
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

/** The cached answer to the most similar question, if one is similar enough. */
export async function findSimilar(lookup: CacheLookup, embedded: Embedded): Promise<Hit | undefined> {
  const { cache, settings, location, call } = lookup;
  const { space, vector, text } = embedded;
  const { threshold } = settings;
  if (call.cache) call.cache.debug.threshold = threshold;
  const semantic = cache.semantic as Semantic; // there is a vector
  const { vectors } = semantic;
  try {
    for (let stale = 0; stale < mostStale; stale++) {
      const neighbour = await waitFor(lookup, vectors.nearest(location.scope, { space, vector, atLeast: threshold }));
      if (!neighbour) return undefined;
      const hit = await readNeighbour(lookup, neighbour);
      if (hit) {
        const { question = "" } = hit.answer;
        return (await isUsable(lookup, { hit, text, semantic })) ? { ...hit, pair: [question, text] } : undefined;
      }
      await waitFor(lookup, vectors.delete(location.scope, neighbour.id));
    }
  } catch (error) {
    reportFailure(lookup, error);
  }
  return undefined;
}
