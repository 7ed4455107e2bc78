import type { DecisionRequest } from "../api/decisions.ts";
import { boundImage } from "../metering/media.ts";
import { boundText, boundUnknown, knownOfChat } from "../metering/prompt.ts";
import type { KnownSizes } from "../metering/usage-bound.ts";
import { materialOf, type Piece } from "./material.ts";
import { passedOn, questionPieces } from "./prompt.ts";
import type { DecisionQuestions, TypedQuestion } from "./question.ts";

/** Tokens of what every question has in front of it, and those of its pictures among them. */
export interface SharedPrompt {
  readonly tokens: number;
  readonly images: number;
}

export function boundShared(
  request: DecisionRequest,
  questions: DecisionQuestions,
  facts: KnownSizes | undefined,
): SharedPrompt {
  const pieces = materialOf(questions);
  const images = countImages(pieces) * boundImage(facts?.model ?? "");
  return { tokens: boundPieces(pieces) + images + boundUnknown(passedOn(request), knownOfChat), images };
}

/** The same of a question's own words. */
export function boundWords(question: TypedQuestion, facts: KnownSizes | undefined): SharedPrompt {
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
