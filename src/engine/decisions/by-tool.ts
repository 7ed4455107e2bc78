import type { ChatResponse } from "../api/chat.ts";
import { type Distribution, normalise } from "./distribution.ts";
import { labelsOf } from "./labels.ts";
import { promptFor, type QuestionBody } from "./prompt.ts";
import type { DecisionQuestions, TypedQuestion } from "./question.ts";

const toolName = "answer";
const task = `Call \`${toolName}\` with the probability of every option; together they are 1.`;

/** Tokens that a model may think before it answers, and that one option takes in the answer. */
const thinking = 2_048;
const perOption = 16;

/** The tokens that an answer by tool may have at most, by the number of options. */
export function tokensByTool(options: number): number {
  return thinking + perOption * options;
}

/** What is known of a model that is asked by tool. */
export interface ToolForm {
  readonly lacksSystemRole?: boolean | undefined;
}

/** The request that makes a chat model state its probabilities: one tool that it must call, with a strict schema. */
export function askByTool(
  questions: DecisionQuestions,
  question: TypedQuestion,
  { lacksSystemRole }: ToolForm = {},
): QuestionBody {
  const labels = labelsOf(question);
  const properties = Object.fromEntries(labels.map((label) => [label, { type: "number" }]));
  const parameters = { type: "object", properties, required: [...labels], additionalProperties: false };
  const description = "Gives the probability of every option, from 0 to 1; together they are 1.";
  return {
    messages: promptFor(questions, question, { task, lacksSystemRole }),
    max_completion_tokens: tokensByTool(labels.length),
    parallel_tool_calls: false,
    tools: [{ type: "function", function: { name: toolName, description, strict: true, parameters } }],
    tool_choice: { type: "function", function: { name: toolName } },
  };
}

/** The stated distribution; `undefined` when the tool was not called, or its probabilities are no distribution over the options. */
export function readByTool(question: TypedQuestion, { choices }: ChatResponse): Distribution | undefined {
  const call = choices[0]?.message.tool_calls?.find((each) => each.function?.name === toolName);
  const stated = parse(call?.function?.arguments);
  if (typeof stated !== "object" || stated === null) return undefined;
  const labels = labelsOf(question);
  if (Object.keys(stated).some((label) => !labels.includes(label))) return undefined;
  return normalise(labels.map((label) => (stated as Record<string, unknown>)[label]));
}

function parse(text: unknown): unknown {
  if (typeof text !== "string") return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // cut short, or no JSON: no answer
  }
}
