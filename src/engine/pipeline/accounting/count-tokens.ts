import type { ChatRequest, ChatResponse } from "../../api/chat.ts";
import type { RequestType } from "../../api/common.ts";
import type { DecisionRequest } from "../../api/decisions.ts";
import type { EmbeddingRequest } from "../../api/embeddings.ts";
import type { ChatMessage } from "../../api/message.ts";
import type { RerankRequest } from "../../api/rerank.ts";
import type { Usage } from "../../api/usage.ts";
import { soundUsage } from "../../metering/counts.ts";
import { nonContentText } from "../../metering/generated-text.ts";
import { type Prompt, sizeMedia, tallyPrompt } from "../../metering/prompt.ts";
import { estimateTokens } from "../../metering/token-estimate.ts";
import { boundChat, boundRerank, nothing } from "../../metering/usage-bound.ts";
import type { Target } from "../../routing/plan.ts";
import { type Call, emitDefect } from "../call/call.ts";

/** The target of the usage, and where a warning about it goes. */
interface UsageReporter {
  readonly target: Target;
  readonly warnings: string[];
}

/** The usage that a target reported, as far as it consists of counts; the rest is left out with a warning on the answer. */
export function reportedUsage({ target, warnings }: UsageReporter, reported: Usage | undefined): Usage | undefined {
  const usage = soundUsage(reported);
  if (!reported || usage) return usage;
  const warning = `usage: what ${target.name} says it used is no count of tokens`;
  if (!warnings.includes(warning)) warnings.push(warning);
  return undefined;
}

/** A usage, and whether it holds what we counted. */
export interface CountedUsage {
  readonly usage: Usage;
  readonly isEstimated: boolean;
}

/**
 * Usage of a chat that ended without one, for the ledger alone: no caller sees an estimate. What the target reported on the way
 * holds; the rest is counted.
 */
export function estimateChat(call: Call, generated: GeneratedOutput): CountedUsage | undefined {
  const { facts } = call;
  if (!facts || readers[facts.kind]) return undefined;
  const { text, model } = generated;
  const used = soundUsage(generated.used);
  if (!used) return { usage: countChat(call, facts.request as ChatRequest, generated), isEstimated: true };
  if (used.completion_tokens > 0 || text === "") return { usage: used, isEstimated: false };
  const completion_tokens = countText(call, text, model);
  return {
    usage: { ...used, completion_tokens, total_tokens: used.prompt_tokens + completion_tokens },
    isEstimated: true,
  };
}

/** A target that was asked, and its provider's name of the model. */
export interface CountedModel {
  readonly target: Target;
  readonly model: string;
}

/** What was generated, and by which target. */
export interface GeneratedOutput extends CountedModel {
  readonly text: string;
  /** The usage that the target reported so far. */
  readonly used?: Usage | undefined;
}

/** Usage of one chat as we count it; its prompt never exceeds the reservation's bound. */
export function countChat(call: Call, request: Prompt, { target, model, text }: GeneratedOutput): Usage {
  const { tokens, prices } = call.ports.accounting;
  const facts = prices.find(target.provider, target.model, call.startedAt);
  const bound = boundChat({ ...request, model }, facts).prompt.soft;
  const counted = countOr(call, () => tokens?.countChat(request, model), {
    text: JSON.stringify(request.messages.map(onlyText)),
    model,
  });
  const prompt_tokens = Math.min(counted + sizeMedia(tallyPrompt(request, facts?.model ?? "")), bound);
  const completion_tokens = countText(call, text, model);
  return { prompt_tokens, completion_tokens, total_tokens: prompt_tokens + completion_tokens };
}

/** A message without its images, sound and files, which are not text. */
function onlyText({ audio: _spoken, content, ...rest }: ChatMessage) {
  if (!Array.isArray(content)) return { ...rest, content };
  return { ...rest, content: content.filter(({ type }) => type === "text" || type === "refusal") };
}

/** The estimate of a whole answer without usage: of a chat, vectors, ranks or decisions; `undefined` of anything else. */
export function estimateWhole(call: Call, { target, model }: CountedModel, answer: object): Usage | undefined {
  if ("choices" in answer) {
    return estimateChat(call, { target, model, text: generatedText(answer as ChatResponse) })?.usage;
  }
  const isKnown = "data" in answer || "results" in answer || "outcomes" in answer;
  return isKnown ? estimateRead(call, { target, model }) : undefined;
}

/**
 * What a target read of a request that makes it generate nothing, or of a part of it: for vectors, ranks or decisions. Never more than
 * what a reservation takes the whole of it for; `undefined` of a chat.
 */
export function estimateRead(call: Call, reader: CountedModel, part?: object): Usage | undefined {
  const { facts } = call;
  const read = facts && readers[facts.kind];
  if (!read) return undefined;
  const count = (text: string) => countText(call, text, reader.model);
  const usage = read((part ?? facts.request) as never, count); // the kind is that of the request
  const { tokens, images } = boundRead(call, reader);
  return { ...usage, ...promptOf(Math.min(usage.prompt_tokens + images, tokens)) };
}

/** Tokens of its prompt, and rerank queries, that a reservation takes a request for; those of its images where it is read once. */
export function boundRead({ facts: requested, ports, startedAt }: Call, { target }: CountedModel) {
  const facts = ports.accounting.prices.find(target.provider, target.model, startedAt);
  const { prompt, queries, images, requests } = requested?.bound(facts) ?? nothing;
  return { tokens: prompt.soft, queries, images: images / requests };
}

/** Tokens of a text of a model, as counted or estimated. */
export function countText(call: Call, text: string, model: string): number {
  return countOr(call, () => call.ports.accounting.tokens?.countText(text, model), { text, model });
}

/** A text, and the provider's name of the model that reads or wrote it. */
interface CountedText {
  readonly text: string;
  readonly model: string;
}

/** A tokenizer's count, or an estimate if there is none or it fails: what was consumed is billed all the same. */
function countOr(call: Call, counted: () => number | undefined, { text, model }: CountedText): number {
  try {
    const tokens = counted();
    if (tokens === undefined || (Number.isSafeInteger(tokens) && tokens >= 0))
      return tokens ?? estimateTokens(text, model);
    emitDefect(call, new Error(`The tokenizer counted ${tokens} tokens.`));
  } catch (thrown) {
    emitDefect(call, thrown);
  }
  return estimateTokens(text, model);
}

type TextCounter = (text: string) => number;

/** Token arrays count as they are. */
function countVectors({ input }: EmbeddingRequest, count: TextCounter): Usage {
  const inputs = typeof input === "string" ? [input] : input;
  const sizes = inputs.map((each) =>
    typeof each === "number" ? 1 : typeof each === "string" ? count(each) : each.length,
  );
  return promptOf(sizes.reduce((sum, size) => sum + size, 0));
}

/** Rerankers read the query with every document; some charge by the query instead. */
function countRanks(request: RerankRequest, count: TextCounter): Usage {
  const facts = count(request.query);
  const tokens = request.documents.reduce((sum, { text }) => sum + facts + count(text), 0);
  return { ...promptOf(tokens), search_units: boundRerank(request).queries };
}

/** A decision generates nothing: what is asked is all that is read. The images of its messages are no text. */
function countDecision({ model: _model, fallbacks: _fallbacks, ...facts }: DecisionRequest, count: TextCounter): Usage {
  const withoutImage = (_key: string, value: { type?: string } | null) =>
    value?.type === "input_image" ? null : value;
  return promptOf(count(JSON.stringify(facts, "input" in facts ? withoutImage : undefined)));
}

/** How what was read is counted, by what was asked. */
const readers: { readonly [Kind in RequestType]?: (request: never, count: TextCounter) => Usage } = {
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
  return choices.map(({ message }) => `${contentOf(message)}${nonContentText(message)}`).join("\n");
}

function contentOf({ content }: ChatMessage): string {
  if (typeof content === "string") return content;
  return content?.map(({ text }) => (typeof text === "string" ? text : "")).join("") ?? "";
}
