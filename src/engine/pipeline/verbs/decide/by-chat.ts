import { askByTool, readByTool } from "../../../decisions/by-tool.ts";
import { isLong } from "../../../decisions/material.ts";
import type { QuestionOutcome } from "../../../decisions/outcome.ts";
import type { TypedQuestion } from "../../../decisions/question.ts";
import { sumUsages } from "../../../metering/counts.ts";
import type { Provider } from "../../../ports/provider.ts";
import { openSubCalls } from "../../accounting/sub-calls.ts";
import type { Attempt } from "../../attempts/attempt.ts";
import { answerByToken } from "./by-token.ts";
import { askFitting, type ChatBounds, type ChatDecision, isRefusal, showRaw } from "./chat-calls.ts";
import { reserveOtherForms } from "./forms.ts";
import { badAnswer } from "./natively.ts";
import type { ReadDecision } from "./read-decision.ts";

/** Concurrent questions of one request. */
const mostTogether = 16;

/**
 * Asks a chat model, each question by itself, several at once: first for the probabilities of one token, then, where the model has none,
 * by a tool that it must call. A long state is read once: the first question goes alone, so that the rest find it cached. All or nothing:
 * a question without a usable answer fails the attempt; one that the model refuses is answered by its refusal.
 */
export async function askChat(
  provider: Required<Provider>,
  bounds: ChatBounds,
  attempt: Attempt,
): Promise<ReadDecision> {
  attempt.consumed.subCalls ??= openSubCalls();
  const { subCalls: parts } = attempt.consumed;
  parts.attemptId = attempt.id;
  parts.open.clear();
  const decision: ChatDecision = { ...bounds, provider, attempt, parts, raws: [], calls: 0, first: undefined };
  const { questions } = bounds;
  const open = questions.questions.filter(({ name }) => !parts.outcomes.has(name));
  const ask = async (question: TypedQuestion) => {
    parts.outcomes.set(question.name, await answer(decision, question));
  };
  try {
    const alone = isLong(questions) ? open.splice(0, 1) : [];
    await inParallel(alone, attempt, ask);
    await inParallel(open, attempt, ask);
  } finally {
    if (attempt.raw) showRaw(attempt.raw, decision.raws);
  }
  const outcomes = questions.questions.map(({ name }) => parts.outcomes.get(name) as QuestionOutcome);
  const { service_tier, model = attempt.model } = decision.first ?? {};
  return {
    id: attempt.id,
    model,
    outcomes,
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

async function answer(decision: ChatDecision, question: TypedQuestion): Promise<QuestionOutcome> {
  const { attempt, request } = decision;
  const byToken = request.method === "tool" ? undefined : await answerByToken(decision, question);
  if (byToken) return byToken;
  if (request.method === "tokens")
    throw badAnswer(attempt, { question: question.name, problem: "has no probabilities of its options" });
  return answerByTool(decision, question);
}

/** The answer by a tool that the model must call; throws where what it states is no distribution over the options. */
async function answerByTool(decision: ChatDecision, question: TypedQuestion): Promise<QuestionOutcome> {
  const { attempt, request } = decision;
  await reserveOtherForms(attempt, request, question);
  const reported = await askFitting(decision, (traits) => askByTool(decision.questions, question, traits));
  const distribution = readByTool(question, reported);
  if (distribution) return { kind: "decided", method: "tool", distribution };
  if (isRefusal(reported)) return { kind: "refused", method: "tool" };
  throw badAnswer(attempt, { question: question.name, problem: "is no distribution over the options" });
}
