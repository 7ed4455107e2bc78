import type { DecisionInput, InputPart } from "../api/decisions/parts.ts";
import type { ContentPart } from "../api/message.ts";
import { nameOf } from "./labels.ts";
import type { DecisionExample, DecisionQuestions, TypedQuestion } from "./question.ts";

/** A piece of the one message in which a question is put: text, or a picture. */
export type Piece = Extract<ContentPart, { type: "text" | "image_url" }>;

/**
 * What a decision is about, the same in front of every question of a request, so that vendors who cache prefixes read it once: the
 * examples, then the state or the conversation.
 */
export function materialOf({ situation, examples, questions }: DecisionQuestions): readonly Piece[] {
  const shown = examples.flatMap((example) => exampleOf(example, questions));
  if (situation.kind === "messages") return [...shown, ...tagged(situation.messages.flatMap(piecesOf))];
  const { value, pictures } = situation;
  const state = value === undefined || value === null ? [] : [text(asText(value))];
  const images = pictures.flatMap(({ name, url }) => [...(name === undefined ? [] : [text(`${name}:`)]), image(url)]);
  return state.length + images.length === 0 ? shown : [...shown, ...tagged([...state, ...images])];
}

/** Bytes of a material from which on vendors cache it, for fewer it is not worth to wait for the first question. */
const longFrom = 4_096;

/** True where the material is long enough to be worth reading once. */
export function isLong(questions: DecisionQuestions): boolean {
  let length = 0;
  for (const piece of materialOf(questions)) length += piece.type === "text" ? piece.text.length : longFrom;
  return length >= longFrom;
}

/** Text as it is, all else as JSON. */
function asText(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** Instructions as they stand in a prompt: text and pictures of a list of parts, all else as one text. */
export function instructionPieces(instructions: unknown): readonly Piece[] {
  if (!isParts(instructions)) return [text(asText(instructions))];
  return instructions.map(pieceOf);
}

/** Neighbouring texts as one, so that content without pictures is one text. */
export function joinTexts(pieces: readonly Piece[]): string | Piece[] {
  const joined: Piece[] = [];
  for (const piece of pieces) {
    const last = joined.at(-1);
    if (piece.type === "text" && last?.type === "text") joined[joined.length - 1] = text(`${last.text}\n${piece.text}`);
    else joined.push(piece);
  }
  const [only] = joined;
  return joined.length === 1 && only?.type === "text" ? only.text : joined;
}

export function text(content: string): Piece {
  return { type: "text", text: content };
}

function image(url: string, detail?: string | null): Piece {
  return { type: "image_url", image_url: { url, ...(detail ? { detail } : {}) } };
}

function tagged(pieces: readonly Piece[]): Piece[] {
  return [text("<material>"), ...pieces, text("</material>")];
}

function exampleOf({ state, answers }: DecisionExample, questions: readonly TypedQuestion[]): Piece[] {
  const lines = questions.flatMap((question) => {
    const answer = answers[question.name];
    return answer === undefined ? [] : [`${question.name}: ${describeAnswer(question, answer)}`];
  });
  return [text(["<example>", asText(state ?? null), "Right answers:", ...lines, "</example>"].join("\n"))];
}

function describeAnswer(question: TypedQuestion, answer: unknown): string {
  const option = question.options[optionOf(question, answer)];
  return option ? nameOf(option) : String(answer);
}

/** The position of the option that a right answer names: by its value, its name, or the label of a level; -1 where it is none. */
export function optionOf({ options }: TypedQuestion, answer: unknown): number {
  return options.findIndex(({ key, value, label }) => answer === value || answer === key || answer === label);
}

/** A message with its role in front; calls of tools and what came of them as what they are. */
function piecesOf(item: DecisionInput): Piece[] {
  switch (item.type) {
    case "function_call":
      return [text(`[call ${item.call_id} of ${item.name}]\n${item.arguments}`)];
    case "custom_tool_call":
      return [text(`[call ${item.call_id} of ${item.name}]\n${item.input}`)];
    case "function_call_output":
    case "custom_tool_call_output":
      return [text(`[result of call ${item.call_id}]`), ...contentPieces(item.output)];
    default:
      return [text(`[${item.role}]`), ...contentPieces(item.content)];
  }
}

function contentPieces(content: string | readonly InputPart[]): Piece[] {
  return typeof content === "string" ? [text(content)] : content.map(pieceOf);
}

function pieceOf(part: InputPart): Piece {
  switch (part.type) {
    case "input_image":
      return image(part.image_url, part.detail);
    case "input_json":
      return text(JSON.stringify(part.data ?? null));
    case "refusal":
      return text(part.refusal);
    default:
      return text(part.text);
  }
}

/** A list of text and pictures, as OpenAI's clients write instructions. */
function isParts(value: unknown): value is readonly InputPart[] {
  return Array.isArray(value) && value.length > 0 && value.every(isPart);
}

function isPart(value: unknown): value is InputPart {
  if (typeof value !== "object" || value === null || !("type" in value)) return false;
  if (value.type === "input_text") return "text" in value && typeof value.text === "string";
  return value.type === "input_image" && "image_url" in value && typeof value.image_url === "string";
}
