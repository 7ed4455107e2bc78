import type { ChatRequest, ChatResponse } from "../api/chat.ts";
import type { RequestType } from "../api/common.ts";
import type { DecisionRequest } from "../api/decisions.ts";
import type { EmbeddingRequest } from "../api/embeddings.ts";
import type { ChatMessage } from "../api/message.ts";
import type { RerankRequest } from "../api/rerank.ts";
import type { Usage } from "../api/usage.ts";
import type { Target } from "../route/plan.ts";
import { soundUsage } from "../usage/counts.ts";
import { boundChat, boundRerank, nothing } from "../usage/estimate.ts";
import { boundText, type Prompt, sizeMedia, tallyPrompt } from "../usage/prompt.ts";
import { saidBeside } from "../usage/said.ts";
import type { Attempt } from "./attempt.ts";
import { announceDefect, type Call } from "./call.ts";

/** What a target says that it used, as far as books can be kept by it; what is no count is left out, and the answer warns of it. */
export function toldUsage({ target, warnings }: Attempt, told: Usage | undefined): Usage | undefined {
  const usage = soundUsage(told);
  if (!told || usage) return usage;
  const warning = `usage: what ${target.name} says it used is no count of tokens`;
  if (!warnings.includes(warning)) warnings.push(warning);
  return undefined;
}

/** Bytes of a token on average, where no tokenizer is at hand. */
const bytesPerToken = 4;

/** A usage, and whether it holds what we counted. */
export interface Counted {
  readonly usage: Usage;
  readonly isEstimated: boolean;
}

/**
 * Usage of a chat that did not end with one, for the ledger alone: the caller is never told invented numbers. What the target said on
 * the way holds; the rest is counted.
 */
export function estimateChat(call: Call, generated: Generated): Counted | undefined {
  const { asked } = call;
  if (!asked || readers[asked.kind]) return undefined;
  const { text, model } = generated;
  const used = soundUsage(generated.used);
  if (!used) return { usage: countChat(call, asked.request as ChatRequest, generated), isEstimated: true };
  if (used.completion_tokens > 0 || text === "") return { usage: used, isEstimated: false };
  const completion_tokens = countText(call, text, model);
  return {
    usage: { ...used, completion_tokens, total_tokens: used.prompt_tokens + completion_tokens },
    isEstimated: true,
  };
}

/** A target that was asked, and its provider's name of the model. */
export interface Reader {
  readonly target: Target;
  readonly model: string;
}

/** What was generated, and by whom. */
export interface Generated extends Reader {
  readonly text: string;
  /** What the target said that it used so far. */
  readonly used?: Usage | undefined;
}

/** Usage of one chat as we count it; its prompt is never more than what a reservation takes it for. */
export function countChat(call: Call, request: Prompt, { target, model, text }: Generated): Usage {
  const { tokens, prices } = call.ports.books;
  const facts = prices.find(target.provider, target.model, call.startedAt);
  const bound = boundChat({ ...request, model }, facts).prompt.soft;
  const counted = countOr(
    call,
    () => tokens?.countChat(request, model),
    JSON.stringify(request.messages.map(onlyText)),
  );
  const prompt_tokens = Math.min(counted + sizeMedia(tallyPrompt(request, facts?.model ?? "")), bound);
  const completion_tokens = countText(call, text, model);
  return { prompt_tokens, completion_tokens, total_tokens: prompt_tokens + completion_tokens };
}

/** A message without its images, sound and files, which are no text. */
function onlyText({ audio: _spoken, content, ...rest }: ChatMessage) {
  if (!Array.isArray(content)) return { ...rest, content };
  return { ...rest, content: content.filter(({ type }) => type === "text" || type === "refusal") };
}

/** The estimate of a whole answer that came without usage: of a chat, vectors, ranks or decisions; `undefined` of anything else. */
export function estimateWhole(call: Call, { target, model }: Attempt, answer: object): Usage | undefined {
  if ("choices" in answer) {
    return estimateChat(call, { target, model, text: generatedText(answer as ChatResponse) })?.usage;
  }
  const isKnown = "data" in answer || "results" in answer || "answers" in answer;
  return isKnown ? estimateRead(call, { target, model }) : undefined;
}

/**
 * What a target read of a request that makes it generate nothing, or of a part of it: for vectors, ranks or decisions. Never more than
 * what a reservation takes the whole of it for; `undefined` of a chat.
 */
export function estimateRead(call: Call, reader: Reader, part?: object): Usage | undefined {
  const { asked } = call;
  const read = asked && readers[asked.kind];
  if (!read) return undefined;
  const count = (text: string) => countText(call, text, reader.model);
  const usage = read((part ?? asked.request) as never, count); // the kind is that of the request
  const { tokens, images } = boundRead(call, reader);
  return { ...usage, ...promptOf(Math.min(usage.prompt_tokens + images, tokens)) };
}

/** Tokens of its prompt, and rerank queries, that a reservation takes a request for; those of its images where it is read once. */
export function boundRead({ asked, ports, startedAt }: Call, { target }: Reader) {
  const facts = ports.books.prices.find(target.provider, target.model, startedAt);
  const { prompt, queries, images, requests } = asked?.bound(facts) ?? nothing;
  return { tokens: prompt.soft, queries, images: images / requests };
}

function countText(call: Call, text: string, model: string): number {
  return countOr(call, () => call.ports.books.tokens?.countText(text, model), text);
}

/** What a tokenizer counts, or a guess where there is none, or one that fails: what was consumed is billed all the same. */
function countOr(call: Call, counted: () => number | undefined, text: string): number {
  try {
    const tokens = counted();
    if (tokens === undefined || (Number.isSafeInteger(tokens) && tokens >= 0)) return tokens ?? guess(text);
    announceDefect(call, new Error(`The tokenizer counted ${tokens} tokens.`));
  } catch (thrown) {
    announceDefect(call, thrown);
  }
  return guess(text);
}

type Count = (text: string) => number;

/** Token arrays count as they are. */
function countVectors({ input }: EmbeddingRequest, count: Count): Usage {
  const inputs = typeof input === "string" ? [input] : input;
  const sizes = inputs.map((each) =>
    typeof each === "number" ? 1 : typeof each === "string" ? count(each) : each.length,
  );
  return promptOf(sizes.reduce((sum, size) => sum + size, 0));
}

/** Rerankers read the query with every document; some charge by the query instead. */
function countRanks(request: RerankRequest, count: Count): Usage {
  const asked = count(request.query);
  const tokens = request.documents.reduce((sum, { text }) => sum + asked + count(text), 0);
  return { ...promptOf(tokens), search_units: boundRerank(request).queries };
}

/** A decision generates nothing: what is asked is all that is read. The images of its messages are no text. */
function countDecision({ model: _model, fallbacks: _fallbacks, ...asked }: DecisionRequest, count: Count): Usage {
  const withoutImage = (_key: string, value: { type?: string } | null) =>
    value?.type === "input_image" ? null : value;
  return promptOf(count(JSON.stringify(asked, "input" in asked ? withoutImage : undefined)));
}

/** How what was read is counted, by what was asked. */
const readers: { readonly [Kind in RequestType]?: (request: never, count: Count) => Usage } = {
  embedding: countVectors,
  rerank: countRanks,
  decision: countDecision,
};

/** Usage of a prompt alone. */
export function promptOf(tokens: number): Usage {
  return { prompt_tokens: tokens, completion_tokens: 0, total_tokens: tokens };
}

/** All that a whole chat answer says, for counting. */
export function generatedText({ choices }: Pick<ChatResponse, "choices">): string {
  return choices.map(({ message }) => `${contentOf(message)}${saidBeside(message)}`).join("\n");
}

function contentOf({ content }: ChatMessage): string {
  if (typeof content === "string") return content;
  return content?.map(({ text }) => (typeof text === "string" ? text : "")).join("") ?? "";
}

function guess(text: string): number {
  return Math.ceil(boundText(text) / bytesPerToken);
}
