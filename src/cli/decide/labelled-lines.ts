import { isDeepStrictEqual } from "node:util";
import { UsageError } from "../../server/terminal/usage-error.ts";

/** Labelled cases of a file, and the line of each. */
export interface LabelledCases {
  readonly questions: Readonly<Record<string, unknown>>;
  readonly cases: readonly Readonly<Record<string, unknown>>[];
  readonly lines: readonly number[];
}

/** The cases of a JSON Lines text; throws `UsageError` with the line of what is none. What fields hold is checked by the engine. */
export function readLabelledLines(file: string, content: string): LabelledCases {
  const questions: Record<string, unknown> = Object.create(null);
  const cases: Readonly<Record<string, unknown>>[] = [];
  const lines: number[] = [];
  for (const [at, text] of content.split("\n").entries()) {
    if (text.trim() === "") continue;
    const line = at + 1;
    const { questions: own, ...one } = readLine(file, line, text);
    if (own !== undefined) addQuestions(questions, own, `${file}, line ${line}`);
    cases.push(one);
    lines.push(line);
  }
  if (cases.length === 0)
    throw new UsageError(`${file} has no cases.`, "Write one a line: { state, answers, questions }.");
  if (Object.keys(questions).length === 0)
    throw new UsageError(`${file}: no line has \`questions\`.`, "The first one must say what the answers are to.");
  return { questions: { ...questions }, cases, lines };
}

function readLine(file: string, line: number, text: string): Readonly<Record<string, unknown>> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new UsageError(`${file}, line ${line}: is no JSON.`, "Each line is one case.");
  }
  if (isFields(value)) return value;
  throw new UsageError(`${file}, line ${line}: must be an object.`, "Each line is { state, answers, questions }.");
}

function addQuestions(questions: Record<string, unknown>, own: unknown, place: string): void {
  if (!isFields(own)) throw new UsageError(`${place}: \`questions\` must be an object, by name.`, "");
  for (const [name, question] of Object.entries(own)) {
    if (Object.hasOwn(questions, name) && !isDeepStrictEqual(questions[name], question))
      throw new UsageError(`${place}: the question \`${name}\` differs from that of a line before.`, "");
    questions[name] = question;
  }
}

function isFields(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
