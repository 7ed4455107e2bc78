import { linesOf } from "./vectors.ts";

/** The kinds of questions, as the list form of the API names them. */
export const questionKinds = ["predicate", "choice", "score"] as const;
export type QuestionKind = (typeof questionKinds)[number];

/** A question as it was typed. */
export interface QuestionDraft {
  readonly name: string;
  readonly kind: QuestionKind;
  readonly instructions: string;
  /** The options of a choice, or the levels of a score from the lowest: one a line. */
  readonly options: string;
}

/** The fewest and the most options of a kind; none for a predicate. */
const bounds: Readonly<Record<QuestionKind, readonly [fewest: number, most: number]>> = {
  predicate: [0, Infinity],
  choice: [1, 255],
  score: [2, 10],
};

/** True for questions that can be sent: each with an own name, and with as many options as its kind takes, each once. */
export function areQuestionsValid(questions: readonly QuestionDraft[]): boolean {
  const names = questions.map(({ name }) => name.trim());
  return (
    questions.length > 0 &&
    names.every((name) => name !== "") &&
    new Set(names).size === names.length &&
    questions.every(({ kind, options }) => {
      const lines = linesOf(options);
      const [fewest, most] = bounds[kind];
      return (
        kind === "predicate" || (lines.length >= fewest && lines.length <= most && new Set(lines).size === lines.length)
      );
    })
  );
}

/** A question as the API takes it. */
export function toQuestion({ name, kind, instructions, options }: QuestionDraft) {
  const common = {
    type: kind,
    name: name.trim(),
    ...(instructions.trim() === "" ? {} : { instructions: instructions.trim() }),
  };
  if (kind === "choice") return { ...common, choices: linesOf(options).map((value) => ({ value })) };
  return kind === "score" ? { ...common, levels: linesOf(options).map((label) => ({ label })) } : common;
}

/** An answer, as far as it is shown. */
export interface ShownAnswer {
  readonly name: string;
  readonly type: string;
  /** What was decided; undefined for a refusal. */
  readonly value: string | number | boolean | undefined;
  readonly confidence: number | undefined;
  readonly options: readonly { readonly label: string; readonly probability: number }[];
}

interface WireAnswer {
  readonly name: string;
  readonly type: string;
  readonly choice?: string | boolean;
  readonly score?: number;
  readonly probability?: number;
  readonly confidence?: number;
  readonly probabilities?: readonly {
    readonly value: string | number | boolean;
    readonly label?: string;
    readonly probability: number;
  }[];
}

/** The answers of a response in the list form. */
export function answersOf(value: unknown): readonly ShownAnswer[] {
  const { answers } = value as { readonly answers?: readonly WireAnswer[] };
  if (!Array.isArray(answers)) return [];
  return answers.map(({ name, type, choice, score, probability, confidence, probabilities = [] }: WireAnswer) => ({
    ...{ name, type, confidence },
    value: choice ?? score ?? (probability === undefined ? undefined : probability >= 0.5),
    options: probabilities.map((one) => ({ label: one.label ?? String(one.value), probability: one.probability })),
  }));
}
