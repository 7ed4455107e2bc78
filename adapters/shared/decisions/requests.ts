import type { DecisionRequest } from "../../../src/engine/api/decisions.ts";
import {
  type AnswerOption,
  type DecisionQuestions,
  readQuestions,
  type TypedQuestion,
} from "../../../src/engine/decisions/question.ts";
import { toMaterial } from "./pictures.ts";
import type { DecisionVendor } from "./vendor.ts";

/** The vendor's body for a request of either form; `rest` goes along untouched. */
export function toBody(
  vendor: DecisionVendor,
  { request, model, rest }: { request: DecisionRequest; model: string; rest: Readonly<Record<string, unknown>> },
): Record<string, unknown> {
  const read = readQuestions(request);
  const named = (vendor.sendsModel?.(model) ?? true) ? { model } : {};
  if (vendor.form === "list")
    return { ...rest, ...named, input: toInput(read), questions: read.questions.map(toListQuestion) };
  const questions = read.questions.map((question) => [question.name, toMapQuestion(question)]);
  const { state, fields } = toMaterial(read, vendor);
  return { ...rest, ...named, state, ...fields, questions: Object.fromEntries(questions) };
}

/** Text or messages; what else a state may be goes as JSON, and pictures next to it as parts of one message. */
function toInput({ situation }: DecisionQuestions): unknown {
  if (situation.kind === "messages") return situation.messages;
  const { value, pictures } = situation;
  const text = typeof value === "string" ? value : JSON.stringify(value ?? null);
  if (pictures.length === 0) return text;
  const images = pictures.flatMap(({ name, url }) => [
    ...(name === undefined ? [] : [{ type: "input_text", text: `${name}:` }]),
    { type: "input_image", image_url: url },
  ]);
  return [{ role: "user", content: [{ type: "input_text", text }, ...images] }];
}

function toMapQuestion({ kind, instructions, options }: TypedQuestion): object {
  const settings = instructions === undefined ? {} : { instructions };
  if (kind === "box") return { type: kind, ...settings };
  if (kind === "score") return { type: kind, ...settings, criteria: options.map(describeLevel) };
  if (kind === "noul" && options.every(({ description }) => description === undefined))
    return { type: kind, ...settings };
  const criteria = options.map(({ key, description }) => [key, description ?? null]);
  return { type: kind, ...settings, criteria: Object.fromEntries(criteria) };
}

function describeLevel({ label, description }: AnswerOption): string {
  return description === undefined ? `${label}` : `${label}: ${description}`;
}

function toListQuestion({ name, kind, instructions, options }: TypedQuestion): object {
  const settings = { name, ...(instructions === undefined ? {} : { instructions: toInstructions(instructions) }) };
  if (kind === "score") {
    const levels = options.map(({ label, description }) => ({ label, ...described(description) }));
    return { type: kind, ...settings, levels };
  }
  if (kind === "choice") {
    const choices = options.map(({ value, description }) => ({ value, ...described(description) }));
    return { type: kind, ...settings, choices };
  }
  const criteria = options.flatMap(({ key, description }) => (description === undefined ? [] : [[key, description]]));
  return {
    type: "predicate",
    ...settings,
    ...(criteria.length === 0 ? {} : { criteria: Object.fromEntries(criteria) }),
  };
}

/** Text, or a list of text and pictures; all else as JSON. */
function toInstructions(value: unknown): unknown {
  if (typeof value === "string") return value;
  const isParts = Array.isArray(value) && value.every((part) => /^input_(?:text|image)$/.test(part?.type));
  return isParts && value.length > 0 ? value : JSON.stringify(value);
}

function described(description: string | undefined): { readonly description?: string } {
  return description === undefined ? {} : { description };
}
