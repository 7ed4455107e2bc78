import { GatewayError } from "../../engine/errors.ts";

/** What guards should do with an example. */
export const expectations = ["pass", "block", "change"] as const;

/** One line of a file of examples. */
export interface GuardExample {
  readonly line: number;
  /** What the user says. */
  readonly request: string;
  /** What the model answers. */
  readonly answer: string;
  readonly expect: (typeof expectations)[number];
  /** Who should refuse. */
  readonly guard?: string | undefined;
}

const fields: ReadonlySet<string> = new Set(["request", "answer", "expect", "guard"]);

/** Reads examples, a JSON object on each line. Throws `invalid_configuration` that names the line. */
export function readExamples(file: string, text: string): GuardExample[] {
  const lines = text.split(/\r?\n/).map((line, at) => ({ line, at: at + 1 }));
  const examples = lines.filter(({ line }) => line.trim() !== "").map(({ line, at }) => readExample(file, line, at));
  if (examples.length === 0) throw invalid(`${file} holds no example`);
  return examples;
}

function readExample(file: string, text: string, line: number): GuardExample {
  const refuse = (problem: string) => invalid(`${file}, line ${line}: ${problem}`);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw refuse("is no JSON");
  }
  if (typeof value !== "object" || value === null) throw refuse("must be an object");
  const { request, answer = "Yes.", expect, guard } = value as Readonly<Record<string, unknown>>;
  const unknown = Object.keys(value).find((name) => !fields.has(name));
  if (unknown !== undefined) throw refuse(`unknown field \`${unknown}\`; there are ${[...fields].join(", ")}`);
  if (typeof request !== "string" || typeof answer !== "string") throw refuse("`request` must be a text, and `answer`");
  const expected = expectations.find((word) => word === expect);
  if (expected === undefined) throw refuse(`\`expect\` must be one of ${expectations.join(", ")}`);
  if (guard !== undefined && typeof guard !== "string") throw refuse("`guard` must be the name of a guard");
  return { line, request, answer, expect: expected, guard };
}

function invalid(message: string): GatewayError {
  return new GatewayError("invalid_configuration", `${message}.`);
}
