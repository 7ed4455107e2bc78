import type { ChatRequest } from "../api/chat.ts";
import type { EmbeddingRequest } from "../api/embeddings.ts";
import type { RerankRequest } from "../api/rerank.ts";
import type { ModelFacts } from "../ports/prices.ts";
import { billsSearchByPrompt } from "./fees/search-billing.ts";
import { boundOutput } from "./output-bound.ts";
import { boundJson, boundText, perMessage, sizeMedia, tallyPrompt } from "./prompt.ts";

/** A number for both ways of keeping a budget: the most that is possible, and what is likely at most (inference-resolved.md, section 7). */
export interface Bounds {
  readonly hard: number;
  readonly soft: number;
}

/** The most that a call can consume, for a reservation before it; never below what the provider will report, within the rules below. */
export interface Consumable {
  /** Tokens of the prompt, sound and images included. */
  readonly prompt: Bounds;
  /** Parts of the prompt that may have rates of their own. */
  readonly audio: number;
  readonly images: number;
  /** Tokens of the answer, or of all `n` answers. */
  readonly completion: Bounds;
  /** Searches of the web that the vendor makes and bills; `hard` is infinite where the vendor bills each of as many as it likes. */
  readonly searches: Bounds;
  /** Rerank queries, as vendors count them. */
  readonly queries: number;
  /** Calls of the model; more than one where a verb asks it in parts. */
  readonly requests: number;
  /** True when the prompt asks to be cached for an hour, which costs more than five minutes. */
  readonly isCachedForHour: boolean;
  /** True when the answer may be spoken. */
  readonly isSpoken: boolean;
}

/** What is known of the model that will be asked. */
export type KnownSizes = Pick<ModelFacts, "model" | "context_length" | "max_input_tokens" | "max_output_tokens"> & {
  /** The target may give longer answers than it was asked for. */
  readonly ignoresOutputLimit?: boolean | undefined;
};

const none: Bounds = { hard: 0, soft: 0 };
/** What a call consumes that consumes nothing. */
export const nothing: Consumable = {
  prompt: none,
  audio: 0,
  images: 0,
  completion: none,
  searches: none,
  queries: 0,
  requests: 1,
  isCachedForHour: false,
  isSpoken: false,
};

/** The window of a model whose size is unknown. */
const largestWindow = 1_048_576;
/**
 * The bound of a chat. The prompt is bounded by its bytes, images and sound by the vendors' rules, and all of it by the model's
 * window; `hard` takes the whole window where a part's size is unknown (a file, an earlier spoken answer) or searching adds to
 * the prompt. The answer is bounded as {@link boundOutput} says, and a predicted output may be billed beside it.
 */
export function boundChat(request: ChatRequest, facts?: KnownSizes): Consumable {
  const { prediction, n, max_completion_tokens: requested } = request;
  const model = facts?.model ?? "";
  const tally = tallyPrompt(request, model);
  const window = facts?.max_input_tokens ?? facts?.context_length ?? largestWindow;
  const isSearching = request.web_search_options !== undefined;
  const likely = Math.min(tally.text + sizeMedia(tally), window);
  const choices = typeof n === "number" ? n : 1;
  const answer = boundOutput({
    largest: facts?.max_output_tokens,
    requested,
    choices,
    ignoresLimit: facts?.ignoresOutputLimit,
  });
  const predicted = boundJson(prediction) * Math.max(1, choices);
  return {
    prompt: { hard: tally.opaque > 0 || isSearching ? window : likely, soft: likely },
    audio: Math.min(tally.audio, window),
    images: Math.min(tally.images, window),
    completion: { hard: answer.hard + predicted, soft: answer.soft + predicted },
    searches: boundSearches(model, isSearching),
    queries: 0,
    requests: 1,
    isCachedForHour: tally.isCachedForHour,
    isSpoken: request.modalities?.includes("audio") ?? false,
  };
}

/** Searches that a model makes for one answer at most, by its name; vendors state no bound, so these are above what is seen. */
const searchesOfResearch: Bounds = { hard: 128, soft: 32 };
/** One for each answer, asked for or not. */
const searchesAlways: Bounds = { hard: 1, soft: 1 };
/** Of models that search with a tool, as often as they like. */
const searchesByTool: Bounds = { hard: 16, soft: 1 };
/** Gemini 3 and later bill every query that the model comes up with, and no request can limit their number. */
const searchesUnbounded: Bounds = { hard: Number.POSITIVE_INFINITY, soft: 1 };

function boundSearches(model: string, isSearching: boolean): Bounds {
  if (model.startsWith("sonar")) return model.startsWith("sonar-deep-research") ? searchesOfResearch : searchesAlways;
  if (model.includes("-search-preview") || model.includes("-search-api")) return searchesAlways;
  if (!isSearching) return none;
  if (!/(?:^|\/)gemini-/i.test(model)) return searchesByTool;
  return billsSearchByPrompt(model) ? searchesAlways : searchesUnbounded;
}

/** The bound of an embedding: token arrays count as they are, texts by their bytes. There is no output. */
export function boundEmbedding({ input }: EmbeddingRequest): Consumable {
  const tokens = typeof input === "string" ? perMessage + boundText(input) : boundInputs(input);
  return { ...nothing, prompt: { hard: tokens, soft: tokens } };
}

function boundInputs(inputs: readonly (string | number | readonly number[])[]): number {
  let tokens = 0;
  for (const input of inputs) {
    if (typeof input === "number") tokens += 1;
    else tokens += perMessage + (typeof input === "string" ? boundText(input) : input.length);
  }
  return tokens;
}

/** Documents that one rerank query may have, and tokens of one document before it counts as two (Cohere's search unit). */
const documentsPerQuery = 100;
const tokensPerDocument = 500;

/** The bound of a reranking: every document is read together with the query. */
export function boundRerank({ query, documents }: RerankRequest): Consumable {
  const requested = boundText(query) + perMessage;
  let tokens = 0;
  let chunks = 0;
  for (const { text } of documents) {
    tokens += requested + boundText(text);
    chunks += Math.max(1, Math.ceil((requested + boundText(text)) / tokensPerDocument));
  }
  return { ...nothing, prompt: { hard: tokens, soft: tokens }, queries: Math.ceil(chunks / documentsPerQuery) };
}
