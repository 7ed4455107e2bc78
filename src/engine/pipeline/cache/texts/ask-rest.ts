import type { EmbeddingRequest, EmbeddingResponse } from "../../../api/embeddings.ts";
import {
  type DistinctTexts,
  inRequest,
  joinAnswers,
  requestFor,
  splitAnswer,
  vectorsInOrder,
} from "../../../caching/embedded-texts.ts";
import type { TextLookup } from "../../../caching/text-lookup.ts";
import type { EmbeddingInput } from "../../../dialects/embedding-inputs.ts";
import { GatewayError, isGatewayError } from "../../../errors.ts";
import { boundEmbedding } from "../../../metering/usage-bound.ts";
import type { ServingAttempt } from "../../call/routed-call.ts";
import { lengthOf } from "../../verbs/embed.ts";
import type { CacheLookup } from "../lookup.ts";
import { answerOf, forgetTexts, savingOf, warningsOfCached } from "./cached-texts.ts";

/** Asks the candidates for vectors, as without a cache. */
export type AskVectors = (
  request: EmbeddingRequest,
  onServed: (attempt: ServingAttempt) => void,
) => Promise<EmbeddingResponse>;

/** How the texts that are not cached are asked for. */
interface RestOfTexts {
  readonly own: TextLookup;
  readonly ask: AskVectors;
  readonly onServed: ((attempt: ServingAttempt) => void) | undefined;
}

/**
 * Asks for the vectors of the texts that are not cached, each once, and joins them with the others. The call reserves, pays and counts
 * what is asked; its answer has the usage of all texts, and its ledger entry what the cached ones saved. Where all are cached, and a limit
 * refused the hit, all are asked for.
 */
export async function askForRest(lookup: CacheLookup, { own, ask, onServed }: RestOfTexts): Promise<EmbeddingResponse> {
  const { texts } = own;
  const all = [...texts.inputs.keys()];
  const missing = all.filter((position) => own.cached[position] === undefined);
  const cached = missing.length === 0 ? [] : own.cached;
  const asked = missing.length === 0 ? all : missing;
  const request = requestFor(texts, asked);
  if (request !== texts.request) narrowCall(lookup, { texts, cached }, request);
  const answer = await ask(request, ({ target, warnings }) => {
    const inPlace = warnings.map((warning) => inRequest(texts, asked, warning));
    warnings.splice(0, warnings.length, ...new Set([...inPlace, ...warningsOfCached(texts, cached)]));
    noteSaving(lookup, cached);
    onServed?.({ target, warnings });
  }).catch((thrown: unknown) => {
    throw inPlaces(texts, asked, thrown);
  });
  const joined = joinRest(own, { asked, cached }, answer);
  if (cached.every((each) => each === undefined) || haveOneLength(joined)) return joined;
  await forgetTexts(lookup, own);
  throw unjoinable(answer, "vectors of another length than those that were cached, which are deleted");
}

/** False for vectors of several lengths: the provider has another model behind the name than it had. */
function haveOneLength({ data }: EmbeddingResponse): boolean {
  return new Set(data.map(({ embedding }) => lengthOf(embedding))).size === 1;
}

function noteSaving({ call }: CacheLookup, cached: TextLookup["cached"]): void {
  const found = cached.filter((answer) => answer !== undefined);
  if (call.cache && found.length > 0) call.cache.saving = savingOf(found);
}

/** The call is about the rest from now on: what it reserves and what is counted of it. */
function narrowCall(
  { call }: CacheLookup,
  { texts, cached }: Pick<TextLookup, "texts" | "cached">,
  request: EmbeddingRequest,
): void {
  call.facts = { kind: "embedding", request, bound: () => boundEmbedding(request) };
  const cached_inputs = texts.places.filter((position) => cached[position] !== undefined).length;
  if (call.cache && cached_inputs > 0) call.cache.debug.cached_inputs = cached_inputs;
}

/** The texts that were asked for, and those that are cached. */
interface DividedTexts extends Pick<TextLookup, "cached"> {
  readonly asked: readonly number[];
}

function joinRest(own: TextLookup, { asked, cached }: DividedTexts, answer: EmbeddingResponse): EmbeddingResponse {
  const { texts } = own;
  const isWhole = requestFor(texts, asked) === texts.request;
  if (!vectorsInOrder(answer, asked.length)) {
    if (isWhole) return answer;
    throw unjoinable(answer, `${answer.data.length} vectors for ${asked.length} inputs`);
  }
  const inputs = asked.map((position) => texts.inputs[position] as EmbeddingInput);
  const answers = splitAnswer(answer, inputs);
  own.fresh = { positions: asked, answers };
  if (isWhole) return answer;
  const byPosition = cached.map((each) => each && answerOf(each));
  for (const [at, position] of asked.entries()) byPosition[position] = answers[at];
  const joined = joinAnswers(texts, byPosition as EmbeddingResponse[], answer);
  const cost = answer.usage?.cost;
  return joined.usage && cost ? { ...joined, usage: { ...joined.usage, cost } } : joined;
}

function unjoinable({ extra_fields }: EmbeddingResponse, problem: string): GatewayError {
  const provider = extra_fields?.provider;
  return new GatewayError("upstream_invalid_response", `The answer of ${provider} has ${problem}.`, { provider });
}

/** An error that names one of the asked texts, with its place in the caller's request. */
function inPlaces(texts: DistinctTexts, asked: readonly number[], thrown: unknown): unknown {
  if (!isGatewayError(thrown) || !thrown.param?.startsWith("input")) return thrown;
  const message = inRequest(texts, asked, thrown.message);
  if (message === thrown.message) return thrown;
  const param = /^`([^`]*)`/.exec(message)?.[1];
  const { code, provider, model, upstream, retryAfterMs, attempts, eventId, cause } = thrown;
  return new GatewayError(code, message, { provider, model, upstream, retryAfterMs, attempts, eventId, cause, param });
}
