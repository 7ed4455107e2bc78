import type { ChatResponse } from "../../api/chat.ts";
import type { DecisionResponse } from "../../api/decisions.ts";
import { writeAnswers } from "../../decisions/answers.ts";
import { askByToken, fitsToken, readByToken } from "../../decisions/by-token.ts";
import { askByTool, readByTool } from "../../decisions/by-tool.ts";
import type { Distribution } from "../../decisions/distribution.ts";
import type { QuestionBody } from "../../decisions/prompt.ts";
import type { TypedQuestion } from "../../decisions/question.ts";
import { GatewayError, toGatewayError } from "../../errors.ts";
import { sumUsages } from "../../metering/counts.ts";
import type { Provider, ProviderCall, RawExchange } from "../../ports/provider.ts";
import { countChat, generatedText, reportedUsage } from "../accounting/count-tokens.ts";
import type { SubCalls } from "../accounting/sub-calls.ts";
import type { Attempt } from "../attempts/attempt.ts";
import { isRefusalOfForm, leavesLogprobsOut, noLogprobs, refusesLogprobs, reserveToolForm } from "./decide-forms.ts";
import { badAnswer, type NativeDecision } from "./decide-natively.ts";

/** Concurrent calls of one request. */
const mostTogether = 16;

/** The questions to a chat model, and the caller's fields that go with every question. */
interface ChatBounds extends NativeDecision {
  readonly passed: Readonly<Record<string, unknown>>;
}

/** One request for decisions at one chat model. */
interface ChatDecision extends ChatBounds {
  readonly provider: Required<Provider>;
  readonly attempt: Attempt;
  readonly parts: SubCalls;
  readonly raws: RawExchange[];
  calls: number;
  first: ChatResponse | undefined;
}

/**
 * Asks a chat model, one call per question, several at once: first for the probabilities of one token, then, where the model has none,
 * by a tool that it must call. All or nothing: a question without a usable answer fails the attempt.
 */
export async function askChat(
  provider: Required<Provider>,
  bounds: ChatBounds,
  attempt: Attempt,
): Promise<DecisionResponse> {
  attempt.consumed.subCalls ??= {
    distributions: new Map(),
    usages: [],
    isEstimated: false,
    isSplit: false,
    open: new Map(),
    withoutLogprobs: new Set(),
    attemptId: "",
  };
  const { subCalls: parts } = attempt.consumed;
  parts.attemptId = attempt.id;
  parts.open.clear();
  const decision: ChatDecision = { ...bounds, provider, attempt, parts, raws: [], calls: 0, first: undefined };
  const { questions } = bounds;
  const open = questions.questions.filter(({ name }) => !parts.distributions.has(name));
  try {
    await inParallel(open, attempt, async (question) => {
      parts.distributions.set(question.name, await answer(decision, question));
    });
  } finally {
    if (attempt.raw) showRaw(attempt.raw, decision.raws);
  }
  const distributions = questions.questions.map(({ name }) => parts.distributions.get(name) as Distribution);
  const { service_tier, model = attempt.model } = decision.first ?? {};
  return {
    id: attempt.id,
    model,
    answers: writeAnswers(questions, distributions),
    ...(parts.isEstimated || parts.isSplit || parts.usages.length === 0 ? {} : { usage: sumUsages(parts.usages) }),
    ...(service_tier ? { service_tier } : {}),
  };
}

/** Does all the work, a few at a time; after the first failure no more is begun. */
async function inParallel<Item>(
  items: readonly Item[],
  { cancellation }: Attempt,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const queue = items.values();
  const lane = async () => {
    for (const item of queue) {
      if (cancellation?.aborted) return;
      await work(item);
    }
  };
  await Promise.all(Array.from({ length: Math.min(mostTogether, items.length) }, lane));
}

async function answer(decision: ChatDecision, question: TypedQuestion): Promise<Distribution> {
  const byToken = await answerByToken(decision, question);
  if (byToken) return byToken;
  const { questions, attempt, request } = decision;
  await reserveToolForm(attempt, request, question);
  const reported = readByTool(question, await askOnce(decision, askByTool(questions, question)));
  if (reported) return reported;
  throw badAnswer(attempt, { question: question.name, problem: "is no distribution over the options" });
}

/** `undefined` when the model is known or turns out to give no probabilities of a letter. */
async function answerByToken(decision: ChatDecision, question: TypedQuestion): Promise<Distribution | undefined> {
  const { questions, attempt, parts } = decision;
  const { logprobs } = attempt.call.ports;
  const { name } = attempt.target;
  if (!fitsToken(question) || logprobs.lacks(name) || parts.withoutLogprobs.has(question.name)) return undefined;
  try {
    const reported = await askOnce(decision, askByToken(questions, question));
    if (!reported.choices[0]?.log_probs?.content?.length) logprobs.note(name);
    const read = readByToken(question, reported);
    if (!read) parts.withoutLogprobs.add(question.name);
    return read;
  } catch (thrown) {
    if (!isRefusalOfForm(thrown)) throw thrown;
    if (refusesLogprobs(thrown)) logprobs.note(name);
    return undefined;
  }
}

async function askOnce(decision: ChatDecision, body: QuestionBody): Promise<ChatResponse> {
  const { attempt, parts } = decision;
  assertCurrent(decision);
  parts.open.set(body, false);
  const reported = await askChatModel(decision, body);
  assertCurrent(decision);
  parts.open.delete(body);
  decision.first ??= reported;
  const usage = reportedUsage(attempt, reported.usage);
  if (!usage) parts.isEstimated = true;
  const generated = { target: attempt.target, model: attempt.model, text: generatedText(reported) };
  parts.usages.push(usage ?? countChat(attempt.call, body, generated));
  return reported;
}

/** An answer to an earlier try is void: its question is asked again already, and the reservation holds each form of it once. */
function assertCurrent({ attempt, parts }: ChatDecision): void {
  if (parts.attemptId !== attempt.id)
    throw new GatewayError("request_cancelled", "The question is asked again already.");
}

/** A failed request has consumed nothing, unless its answer had begun and was no error; one that we ended is uncertain. */
async function askChatModel(decision: ChatDecision, body: QuestionBody): Promise<ChatResponse> {
  const { provider, request, passed, attempt, parts } = decision;
  try {
    return await provider.chat({ ...passed, model: request.model, ...body }, innerCall(decision, body));
  } catch (thrown) {
    const isRead = parts.open.get(body) && toGatewayError(thrown).code !== "upstream_error";
    if (!attempt.cancellation?.aborted && !isRead) parts.open.delete(body);
    throw thrown;
  }
}

/** Each call has an identifier and a raw exchange of its own; the attempt's deadlines hold for all of them together. */
function innerCall(decision: ChatDecision, body: QuestionBody): ProviderCall {
  const { attempt, parts, raws } = decision;
  const { model, credential, startedAt, signal, cancellation, timeouts } = attempt;
  const raw: RawExchange | undefined = attempt.raw && {};
  if (raw) raws.push(raw);
  const id = `${attempt.id}-${++decision.calls}`;
  const begun = () => void (parts.open.has(body) && parts.open.set(body, true)); // one of a try before is over
  const own = { begun, warn: (text: string) => warn(attempt, text) };
  return { id, model, credential, startedAt, signal, cancellation, timeouts, raw, ...own };
}

/** Fields that the caller never wrote. */
const ownFields = /^`(logprobs|top_logprobs|max_completion_tokens|parallel_tool_calls|tools|tool_choice)\b/;

function warn(attempt: Attempt, warning: string): void {
  if (leavesLogprobsOut.test(warning)) throw noLogprobs;
  if (!ownFields.test(warning) && !attempt.warnings.includes(warning)) attempt.warn(warning);
}

function showRaw(raw: RawExchange, raws: readonly RawExchange[]): void {
  raw.request = raws.map(({ request }) => request);
  raw.response = raws.map(({ response }) => response);
}
