import type { DecisionInput } from "../api/decisions/parts.ts";
import type { DecisionListQuestion, DecisionRequest, MapQuestion } from "../api/decisions.ts";

/** One of the answers that a question may have. */
export interface AnswerOption {
  /** Names the option as text, unlike every other option of the question. */
  readonly key: string;
  /** As the caller wrote it; the position of a level. */
  readonly value: string | boolean | number;
  /** What a level is called. */
  readonly label?: string | undefined;
  readonly description?: string | undefined;
}

/** A typed question in one form, whichever form it came in. Yes comes before no, levels come lowest first. */
export interface TypedQuestion {
  readonly name: string;
  readonly kind: "noul" | "choice" | "score" | "box";
  /** Text, an object or an array; absent when the caller gave none. */
  readonly instructions: unknown;
  /** Empty where the answer is a place in a picture. */
  readonly options: readonly AnswerOption[];
}

/** A picture as a data URL or an address, with the name that the state refers to it by, if it has one. */
export interface Picture {
  readonly name?: string | undefined;
  readonly url: string;
}

/** What a decision is asked about: text or JSON and pictures next to it, or a conversation. */
export type Situation =
  | { readonly kind: "value"; readonly value: unknown; readonly pictures: readonly Picture[] }
  | { readonly kind: "messages"; readonly messages: readonly DecisionInput[] };

/** A case with its right answers by the name of the question. */
export type DecisionExample = NonNullable<DecisionRequest["examples"]>[number];

/** A request for decisions, read into one form. */
export interface DecisionQuestions {
  /** The form that the answers go back in. */
  readonly form: "map" | "list";
  readonly situation: Situation;
  readonly questions: readonly TypedQuestion[];
  readonly examples: readonly DecisionExample[];
  /** How likely the best option must be for an answer not to count as abstained; 0 unless the request says so. */
  readonly threshold: number;
}

/** Reads a request of either form (inference-resolved.md, section 10). Its bounds were checked before. */
export function readQuestions(request: DecisionRequest): DecisionQuestions {
  if (!Array.isArray(request.questions)) {
    const { state: value, examples = [], threshold = 0 } = request as Extract<DecisionRequest, { state?: unknown }>;
    const questions = Object.entries(request.questions).map(([name, question]) => readMapQuestion(name, question));
    return {
      form: "map",
      situation: { kind: "value", value, pictures: picturesOf(request) },
      questions,
      examples,
      threshold,
    };
  }
  const { input } = request as Extract<DecisionRequest, { input: unknown }>;
  return {
    form: "list",
    situation:
      typeof input === "string" ? { kind: "value", value: input, pictures: [] } : { kind: "messages", messages: input },
    questions: (request.questions as readonly DecisionListQuestion[]).map(readListQuestion),
    examples: request.examples ?? [],
    threshold: request.threshold ?? 0,
  };
}

/** The pictures of a map form: those by name, then those in a row. */
function picturesOf(request: DecisionRequest): readonly Picture[] {
  const { images = [], assets = {} } = request as Extract<DecisionRequest, { assets?: unknown }>;
  const named = Object.entries(assets).flatMap(([name, { url, format = "png", data_base64: file }]) => {
    const address = file === undefined ? url : `data:image/${format};base64,${file}`;
    return address === undefined ? [] : [{ name, url: address }];
  });
  return [...named, ...images.map((url) => ({ url }))];
}

function readMapQuestion(name: string, question: MapQuestion): TypedQuestion {
  const { kind, instructions } = question;
  return { name, kind, instructions: instructions ?? undefined, options: optionsOfMap(question) };
}

function optionsOfMap(question: MapQuestion): readonly AnswerOption[] {
  if (question.kind === "noul") return yesAndNo(question.criteria);
  if (question.kind === "box") return [];
  if (question.kind === "score") {
    return question.criteria.map((label, position) => ({ key: String(position), value: position, label }));
  }
  return Object.entries(question.criteria).map(([key, provided]) => ({ key, value: key, ...describe(provided) }));
}

function readListQuestion(question: DecisionListQuestion, position: number): TypedQuestion {
  const { name = `question_${position}`, instructions } = question;
  const common = { name, instructions: instructions ?? undefined };
  if (question.type === "predicate") return { ...common, kind: "noul", options: yesAndNo(question.criteria) };
  if (question.type === "choice") return { ...common, kind: "choice", options: readChoices(question.choices) };
  const options = question.levels.map(({ label, description }, at) => {
    return { key: String(at), value: at, label, ...describe(description) };
  });
  return { ...common, kind: "score", options };
}

type Choices = Extract<DecisionListQuestion, { type: "choice" }>["choices"];

/** `true` and `"true"` are two options: the text has the name, the boolean another one. */
function readChoices(choices: Choices): readonly AnswerOption[] {
  const taken = new Set<string>(choices.map(({ value }) => value).filter((value) => typeof value === "string"));
  return choices.map(({ value, description }) => {
    let key = String(value);
    if (typeof value === "boolean") while (taken.has(key)) key += " (boolean)";
    return { key, value, ...describe(description) };
  });
}

function yesAndNo(criteria: Extract<MapQuestion, { kind: "noul" }>["criteria"]): readonly AnswerOption[] {
  return [
    { key: "true", value: true, ...describe(criteria?.true) },
    { key: "false", value: false, ...describe(criteria?.false) },
  ];
}

function describe(description: string | null | undefined): { readonly description?: string } {
  return typeof description === "string" ? { description } : {};
}
