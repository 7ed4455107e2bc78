import type { DecisionRequest } from "../api/decisions.ts";
import { boundImage } from "../metering/media.ts";
import { boundOutput } from "../metering/output-bound.ts";
import {
  boundJson,
  boundText,
  boundUnknown,
  knownOfChat,
  perChat,
  perMessage,
  perToolUse,
} from "../metering/prompt.ts";
import { type Consumable, type KnownSizes, nothing } from "../metering/usage-bound.ts";
import { tokensByTool } from "./by-tool.ts";
import { passedOn, promptFor } from "./prompt.ts";
import { type DecisionQuestions, type InputMessage, readQuestions, type TypedQuestion } from "./question.ts";

/** What is fixed in the two ways of asking: the tool's own words, and a label in front of every option. */
const perTool = 512;
const perLabel = 16;
/** A label in the tool's schema: `"option_255":{"type":"number"}`, and once more among the required ones. */
const perField = 48;
/** Bytes of the task, which the prompts below leave out. */
const perTask = 256;
/** Tokens of an answer that may have one. */
const perToken = 16;

/**
 * The most that a decision consumes of a chat model: each question is one call with the whole situation, answered by the probabilities of a
 * token, and one call more where the model turns out to have none. A native provider, which is called once, consumes less.
 */
export function boundDecision(request: DecisionRequest, facts?: KnownSizes): Consumable {
  const questions = readQuestions(request);
  const pictures = countImages(questions) * boundImage(facts?.model ?? "");
  const situation = boundSituation(questions) + pictures + boundUnknown(passedOn(request), knownOfChat);
  let prompt = 0;
  let soft = 0;
  let hard = 0;
  for (const question of questions.questions) {
    const count = question.options.length;
    const once = situation + boundQuestion(question) + perLabel * count;
    prompt += 2 * once + perToolUse + perTool + perField * count;
    const answer = boundOutput({ largest: facts?.max_output_tokens, requested: tokensByTool(count) });
    soft += perToken + answer.soft;
    hard += perToken + answer.hard;
  }
  const calls = 2 * questions.questions.length;
  return {
    ...nothing,
    prompt: { hard: prompt, soft: prompt },
    images: pictures * calls,
    completion: { hard, soft },
    requests: calls,
  };
}

/** The question as it stands in its prompt, without the situation. */
function boundQuestion(question: TypedQuestion): number {
  const [system, requested] = promptFor({ form: "map", situation: nothingProvided, questions: [] }, question, "");
  return perChat + perTask + boundContent(system) + boundContent(requested);
}

const nothingProvided = { kind: "value", value: undefined } as const;

function boundContent(message: { readonly content?: unknown } | undefined): number {
  return perMessage + boundText(String(message?.content ?? ""));
}

function boundSituation({ situation }: DecisionQuestions): number {
  if (situation.kind === "value") return perMessage + boundJson(situation.value);
  return situation.messages.reduce((sum, { content }) => sum + perMessage + boundParts(content), 0);
}

function boundParts(content: InputMessage["content"]): number {
  if (typeof content === "string") return boundText(content);
  return content.reduce((sum, part) => sum + (part.type === "input_text" ? boundText(part.text) : 0), 0);
}

function countImages({ situation }: DecisionQuestions): number {
  if (situation.kind === "value") return 0;
  const parts = situation.messages.flatMap(({ content }) => (typeof content === "string" ? [] : content));
  return parts.filter(({ type }) => type === "input_image").length;
}
