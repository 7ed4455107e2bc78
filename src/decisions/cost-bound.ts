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
import { type Bounds, type Consumable, type KnownSizes, nothing } from "../metering/usage-bound.ts";
import { fitsToken } from "./by-token.ts";
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
 * The most that a decision consumes of a chat model before anything of it fails: each question is one call with the whole situation,
 * answered by the probabilities of one token, or by a tool where the question has too many options or the model is known to give no
 * probabilities (`lacksLogprobs`). A question whose probabilities turn out to be useless is asked once more: {@link boundToolForm} is
 * reserved for that then. A native provider is called once and taken for one that asks by tool.
 */
export function boundDecision(request: DecisionRequest, facts?: DecidingModel): Consumable {
  const questions = readQuestions(request);
  return questions.questions
    .map((question) => boundForm(request, questions, { question, facts, isByToken: isByToken(question, facts) }))
    .reduce(addConsumable);
}

/** The most that asking one question by tool consumes; nothing where there is no such question. */
export function boundToolForm(request: DecisionRequest, name: string, facts?: KnownSizes): Consumable {
  const questions = readQuestions(request);
  const question = questions.questions.find((each) => each.name === name);
  return question ? boundForm(request, questions, { question, facts, isByToken: false }) : nothing;
}

/** What is known of the model that decides. */
interface DecidingModel extends KnownSizes {
  /** It gives no log probabilities, or answers all questions in one call. */
  readonly lacksLogprobs?: boolean | undefined;
}

function isByToken(question: TypedQuestion, facts: DecidingModel | undefined): boolean {
  return fitsToken(question) && facts?.lacksLogprobs !== true;
}

/** One question in one of its two forms. */
interface QuestionForm {
  readonly question: TypedQuestion;
  readonly facts: KnownSizes | undefined;
  readonly isByToken: boolean;
}

function boundForm(
  request: DecisionRequest,
  questions: DecisionQuestions,
  { question, facts, isByToken }: QuestionForm,
): Consumable {
  const images = countImages(questions) * boundImage(facts?.model ?? "");
  const situation = boundSituation(questions) + images + boundUnknown(passedOn(request), knownOfChat);
  const count = question.options.length;
  const asked = situation + boundQuestion(question) + perLabel * count;
  const prompt = isByToken ? asked : asked + perToolUse + perTool + perField * count;
  const most = { largest: facts?.max_output_tokens, ignoresLimit: facts?.ignoresOutputLimit };
  const completion = isByToken
    ? { hard: perToken, soft: perToken }
    : boundOutput({ ...most, requested: tokensByTool(count) });
  return { ...nothing, prompt: { hard: prompt, soft: prompt }, images, completion, requests: 1 };
}

function addConsumable(one: Consumable, other: Consumable): Consumable {
  return {
    ...one,
    prompt: addBounds(one.prompt, other.prompt),
    images: one.images + other.images,
    completion: addBounds(one.completion, other.completion),
    requests: one.requests + other.requests,
  };
}

function addBounds(one: Bounds, other: Bounds): Bounds {
  return { hard: one.hard + other.hard, soft: one.soft + other.soft };
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
