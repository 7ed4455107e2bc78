import type { ChatResponse } from "../api/chat.ts";
import type { DecisionResponse } from "../api/decisions.ts";
import { writeAnswers } from "../decisions/answers.ts";
import { askByToken, fitsToken, readByToken } from "../decisions/by-token.ts";
import { askByTool, readByTool } from "../decisions/by-tool.ts";
import type { Distribution } from "../decisions/distribution.ts";
import type { Question } from "../decisions/inquiry.ts";
import type { QuestionBody } from "../decisions/prompt.ts";
import { GatewayError, isGatewayError, toGatewayError } from "../errors.ts";
import type { Provider, ProviderCall, RawExchange } from "../ports.ts";
import { isContentRefusal, isContextTooLong } from "../route/verdict.ts";
import { sumUsages } from "../usage/counts.ts";
import type { Attempt } from "./attempt.ts";
import { type Asked, badAnswer } from "./decide-natively.ts";
import { countChat, generatedText, toldUsage } from "./estimate.ts";
import type { Parts } from "./parts.ts";

/** Calls of one request that are under way together. */
const mostTogether = 16;

/** What is asked of a chat model, and the caller's fields that go with every question. */
interface AskedOfChat extends Asked {
  readonly passed: Readonly<Record<string, unknown>>;
}

/** One request for decisions at one chat model. */
interface Interview extends AskedOfChat {
  readonly provider: Required<Provider>;
  readonly attempt: Attempt;
  readonly parts: Parts;
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
  asked: AskedOfChat,
  attempt: Attempt,
): Promise<DecisionResponse> {
  attempt.approach.parts ??= {
    distributions: new Map(),
    usages: [],
    isEstimated: false,
    isSplit: false,
    open: new Map(),
    unweighed: new Set(),
    asker: "",
  };
  const { parts } = attempt.approach;
  parts.asker = attempt.id;
  parts.open.clear();
  const interview: Interview = { ...asked, provider, attempt, parts, raws: [], calls: 0, first: undefined };
  const { inquiry } = asked;
  const open = inquiry.questions.filter(({ name }) => !parts.distributions.has(name));
  try {
    await inParallel(open, attempt, async (question) => {
      parts.distributions.set(question.name, await answer(interview, question));
    });
  } finally {
    if (attempt.raw) showRaw(attempt.raw, interview.raws);
  }
  const distributions = inquiry.questions.map(({ name }) => parts.distributions.get(name) as Distribution);
  const { service_tier, model = attempt.model } = interview.first ?? {};
  return {
    id: attempt.id,
    model,
    answers: writeAnswers(inquiry, distributions),
    ...(parts.isEstimated || parts.isSplit || parts.usages.length === 0 ? {} : { usage: sumUsages(parts.usages) }),
    ...(service_tier ? { service_tier } : {}),
  };
}

/** Does all the work, a few at a time; after the first failure nothing more is begun. */
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

async function answer(interview: Interview, question: Question): Promise<Distribution> {
  const byToken = await answerByToken(interview, question);
  if (byToken) return byToken;
  const { inquiry, attempt } = interview;
  const told = readByTool(question, await askOnce(interview, askByTool(inquiry, question)));
  if (told) return told;
  throw badAnswer(attempt, { question: question.name, problem: "is no distribution over the options" });
}

/** `undefined` when the model is known or turns out to give no probabilities of a letter. */
async function answerByToken(interview: Interview, question: Question): Promise<Distribution | undefined> {
  const { inquiry, attempt, parts } = interview;
  const { logprobs } = attempt.call.ports;
  const { name } = attempt.target;
  if (!fitsToken(question) || logprobs.lacks(name) || parts.unweighed.has(question.name)) return undefined;
  try {
    const told = await askOnce(interview, askByToken(inquiry, question));
    if (!told.choices[0]?.log_probs?.content?.length) logprobs.note(name);
    const read = readByToken(question, told);
    if (!read) parts.unweighed.add(question.name);
    return read;
  } catch (thrown) {
    if (!isRefusalOfForm(thrown)) throw thrown;
    if (thrown === unweighed || formWords.test(thrown.message)) logprobs.note(name);
    return undefined;
  }
}

const formWords = /log_?prob|max_(completion_|output_)?tokens|output limit/i;

/** A model that takes no such request says 400 or 422; what it says of the content or its length holds for every form. */
function isRefusalOfForm(thrown: unknown): thrown is GatewayError {
  if (thrown === unweighed) return true;
  if (!isGatewayError(thrown) || isContentRefusal(thrown) || isContextTooLong(thrown)) return false;
  const status = thrown.upstream?.status;
  return status === 400 || status === 422;
}

async function askOnce(interview: Interview, body: QuestionBody): Promise<ChatResponse> {
  const { attempt, parts } = interview;
  assertCurrent(interview);
  parts.open.set(body, false);
  const told = await askChatModel(interview, body);
  assertCurrent(interview);
  parts.open.delete(body);
  interview.first ??= told;
  const usage = toldUsage(attempt, told.usage);
  if (!usage) parts.isEstimated = true;
  const generated = { target: attempt.target, model: attempt.model, text: generatedText(told) };
  parts.usages.push(usage ?? countChat(attempt.call, body, generated));
  return told;
}

/** What a try still hears after the next one has begun is asked again already: the reservation holds each form of a question once. */
function assertCurrent({ attempt, parts }: Interview): void {
  if (parts.asker !== attempt.id) throw new GatewayError("request_cancelled", "The question is asked again already.");
}

/** One that fails has consumed nothing, unless its answer had begun and was no error; what becomes of one that we ended is not known. */
async function askChatModel(interview: Interview, body: QuestionBody): Promise<ChatResponse> {
  const { provider, request, passed, attempt, parts } = interview;
  try {
    return await provider.chat({ ...passed, model: request.model, ...body }, innerCall(interview, body));
  } catch (thrown) {
    const isRead = parts.open.get(body) && toGatewayError(thrown).code !== "upstream_error";
    if (!attempt.cancellation?.aborted && !isRead) parts.open.delete(body);
    throw thrown;
  }
}

/** Each call has an identifier and a raw exchange of its own; the attempt's deadlines hold for all of them together. */
function innerCall(interview: Interview, body: QuestionBody): ProviderCall {
  const { attempt, parts, raws } = interview;
  const { model, credential, startedAt, signal, cancellation, timeouts } = attempt;
  const raw: RawExchange | undefined = attempt.raw && {};
  if (raw) raws.push(raw);
  const id = `${attempt.id}-${++interview.calls}`;
  const begun = () => void (parts.open.has(body) && parts.open.set(body, true)); // one of a try before is over
  const own = { begun, warn: (text: string) => warn(attempt, text) };
  return { id, model, credential, startedAt, signal, cancellation, timeouts, raw, ...own };
}

/** Thrown into a provider that says, before it asks, that it will leave the log probabilities out: the call would be for nothing. */
const unweighed = new GatewayError("unsupported_operation", "The provider gives no log probabilities.");
const leavesLogprobsOut = /^`(top_)?logprobs` is not supported/;

/** Fields that the caller never wrote. */
const ownFields = /^`(logprobs|top_logprobs|max_completion_tokens|parallel_tool_calls|tools|tool_choice)\b/;

function warn(attempt: Attempt, warning: string): void {
  if (leavesLogprobsOut.test(warning)) throw unweighed;
  if (!ownFields.test(warning) && !attempt.warnings.includes(warning)) attempt.warn(warning);
}

function showRaw(raw: RawExchange, raws: readonly RawExchange[]): void {
  raw.request = raws.map(({ request }) => request);
  raw.response = raws.map(({ response }) => response);
}
