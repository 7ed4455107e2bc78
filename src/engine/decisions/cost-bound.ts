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
import { fitsToken, tokensByEnum } from "./by-token.ts";
import { tokensByTool } from "./by-tool.ts";
import { materialOf, type Piece } from "./material.ts";
import { ordersOf } from "./orders.ts";
import { passedOn, questionPieces } from "./prompt.ts";
import { type DecisionQuestions, readQuestions, type TypedQuestion } from "./question.ts";

/** What is fixed in the two ways of asking: the system message and the tool's own words, and a label in front of every option. */
const perTool = 512;
const perLabel = 16;
/** A label in the tool's schema: `"option_255":{"type":"number"}`, and once more among the required ones. */
const perField = 48;
/** Bytes of the task and of the system message, which the pieces below leave out. */
const perTask = 512;
/** Tokens of an answer that may have one. */
const perToken = 16;
/** Tokens that a vendor reports for one answer of its own interface, and for each option of it. */
const perNativeAnswer = 64;

/**
 * The most that a decision consumes of a model before anything of it fails. A chat model is called for each question, in as many orders
 * as the request allows, with the whole situation; it answers by the probabilities of one token, or by a tool where the question has too
 * many options or the model is known to give no probabilities (`lacksLogprobs`). A question whose probabilities turn out to be useless is
 * asked once more: {@link boundToolForm} is reserved for that then. A model that decides natively is called once for all questions.
 */
export function boundDecision(request: DecisionRequest, facts?: DecidingModel): Consumable {
  const questions = readQuestions(request);
  const shared = boundShared(request, questions, facts);
  if (facts?.isNativeDecider) return boundNative(request, questions, shared);
  return questions.questions
    .map((question) => boundForm(shared, { question, facts, isByToken: isByToken(question, facts), request }))
    .reduce(addConsumable);
}

/**
 * The most that asking one question in the other forms consumes, under a schema in all orders and then by tool; nothing where there is no
 * such question.
 */
export function boundToolForm(request: DecisionRequest, name: string, facts?: KnownSizes): Consumable {
  const questions = readQuestions(request);
  const question = questions.questions.find((each) => each.name === name);
  if (!question) return nothing;
  const shared = boundShared(request, questions, facts);
  const byTool = boundForm(shared, { question, facts, isByToken: false, request });
  if (!fitsToken(question)) return byTool;
  const withoutPrior = { ...request, prior: undefined }; // what the model says about an empty state is asked for by token
  const { prompt, completion, ...byToken } = boundForm(shared, {
    ...{ question, facts, isByToken: true },
    request: withoutPrior,
  });
  const calls = callsFor(question, withoutPrior);
  const schema = calls * (perTool + perField * question.options.length);
  return addConsumable(byTool, {
    ...byToken,
    prompt: { hard: prompt.hard + schema, soft: prompt.soft + schema },
    completion: { hard: completion.hard + calls * tokensByEnum, soft: completion.soft + calls * tokensByEnum },
  });
}

/** What is known of the model that decides. */
interface DecidingModel extends KnownSizes {
  /** It gives no log probabilities. */
  readonly lacksLogprobs?: boolean | undefined;
  /** It answers all questions in one call of its vendor's own interface. */
  readonly isNativeDecider?: boolean | undefined;
}

function isByToken(question: TypedQuestion, facts: DecidingModel | undefined): boolean {
  return fitsToken(question) && facts?.lacksLogprobs !== true;
}

/** One question in one of its two forms. */
interface QuestionForm {
  readonly request: DecisionRequest;
  readonly question: TypedQuestion;
  readonly facts: KnownSizes | undefined;
  readonly isByToken: boolean;
}

function boundForm(shared: SharedPrompt, { request, question, facts, isByToken }: QuestionForm): Consumable {
  const count = question.options.length;
  const words = boundWords(question, facts);
  const images = shared.images + words.images;
  const asked = perChat + perTask + 2 * perMessage + shared.tokens + words.tokens;
  const prompt = asked + perLabel * count + (isByToken ? 0 : perToolUse + perTool + perField * count);
  const most = { largest: facts?.max_output_tokens, ignoresLimit: facts?.ignoresOutputLimit };
  const completion = isByToken
    ? { hard: perToken, soft: perToken }
    : boundOutput({ ...most, requested: tokensByTool(count) });
  const one = { ...nothing, prompt: { hard: prompt, soft: prompt }, images, completion, requests: 1 };
  return isByToken ? times(one, callsFor(question, request)) : one;
}

/** The calls that one question takes by token: one for each order, and as many about an empty state. */
function callsFor({ options }: TypedQuestion, { permutations = 1, prior }: DecisionRequest): number {
  return ordersOf(options.length, permutations).length * (prior ? 2 : 1);
}

function boundNative(request: DecisionRequest, { questions }: DecisionQuestions, shared: SharedPrompt): Consumable {
  const prompt = perChat + shared.tokens + boundJson(request.questions);
  const options = questions.reduce((sum, question) => sum + question.options.length, 0);
  const completion = perNativeAnswer * questions.length + perNativeAnswer * options;
  return {
    ...nothing,
    prompt: { hard: prompt, soft: prompt },
    images: shared.images,
    completion: { hard: completion, soft: completion },
  };
}

function times(one: Consumable, count: number): Consumable {
  return {
    ...one,
    prompt: { hard: one.prompt.hard * count, soft: one.prompt.soft * count },
    images: one.images * count,
    completion: { hard: one.completion.hard * count, soft: one.completion.soft * count },
    requests: one.requests * count,
  };
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

/** Tokens of what every question has in front of it, and those of its pictures among them. */
export interface SharedPrompt {
  readonly tokens: number;
  readonly images: number;
}

function boundShared(
  request: DecisionRequest,
  questions: DecisionQuestions,
  facts: KnownSizes | undefined,
): SharedPrompt {
  const pieces = materialOf(questions);
  const images = countImages(pieces) * boundImage(facts?.model ?? "");
  return { tokens: boundPieces(pieces) + images + boundUnknown(passedOn(request), knownOfChat), images };
}

/** The same of a question's own words. */
function boundWords(question: TypedQuestion, facts: KnownSizes | undefined): SharedPrompt {
  const pieces = questionPieces(question, { task: "" });
  const images = countImages(pieces) * boundImage(facts?.model ?? "");
  return { tokens: boundPieces(pieces) + images, images };
}

/** The tokens of the texts; a break is written between two pieces at most. */
function boundPieces(pieces: readonly Piece[]): number {
  return pieces.reduce((sum, piece) => sum + 1 + (piece.type === "text" ? boundText(piece.text) : 0), 0);
}

function countImages(pieces: readonly Piece[]): number {
  return pieces.filter(({ type }) => type === "image_url").length;
}
