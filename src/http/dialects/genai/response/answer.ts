import type { ChatResponse, Choice } from "../../../../engine/api/chat.ts";
import { finishReasonOf } from "../../../../engine/dialects/finish-reason.ts";
import { writeFinishReason } from "../../../../engine/dialects/gemini/finish-reasons.ts";
import { writeLogProbs } from "../../../../engine/dialects/gemini/log-probs.ts";
import { writeGrounding } from "../../../../engine/dialects/gemini/sources.ts";
import { writeUsage } from "../../../../engine/dialects/gemini/usage.ts";
import { type Part, partsOf } from "../../shared/parts.ts";
import { type Notes, warnUnsupportedFields } from "../../shared/translation-warnings.ts";
import type { GenaiPart, GenaiResponse } from "../schema.ts";
import {
  type AnswerSignatures,
  callPart,
  imageParts,
  isBroken,
  leftSignatures,
  newSignatures,
  signedThought,
  signText,
  takeSignature,
} from "./parts.ts";

/** How an answer is written. */
export interface AnswerOptions {
  readonly notes: Notes;
  readonly showsThoughts: boolean;
}

/** The whole answer, one candidate per choice. */
export function writeAnswer(answer: ChatResponse, options: AnswerOptions): GenaiResponse {
  return {
    candidates: answer.choices.map((choice) => writeCandidate(choice, options)),
    ...writeUsage(answer.usage, answer.service_tier),
    modelVersion: answer.model,
    responseId: answer.id,
  };
}

function writeCandidate(choice: Choice, options: AnswerOptions): GenaiResponse["candidates"][number] {
  const { message, index, finish_reason: reason } = choice;
  const parts = partsOf(message);
  const calls = parts.filter(({ kind }) => kind === "call");
  if (message.audio) warnUnsupportedFields(options.notes, "audio", "of the answer has no counterpart here");
  const text = parts.find(({ kind }) => kind === "text")?.text ?? "";
  const finish = finishReasonOf(reason, calls.length > 0);
  const broken = calls.filter(isBroken);
  for (const { id } of broken)
    warnUnsupportedFields(options.notes, id, "has arguments that are no JSON object; they are left out");
  return {
    index,
    content: { role: "model", parts: writeParts(parts, choice, options) },
    finishReason: writeFinishReason(finish, broken.length > 0),
    ...writeGrounding(message.annotations ?? [], text),
    ...writeLogProbs(choice.log_probs),
  };
}

/** Signed parts carry their signature, wherever it stood among the parts. */
function writeParts(parts: readonly Part[], { message }: Choice, { showsThoughts }: AnswerOptions): GenaiPart[] {
  const signatures = newSignatures();
  const own = parts.filter((part) => !takeSignature(part, signatures));
  const written = own.flatMap((part) => writePart(part, signatures, showsThoughts));
  return [...written, ...leftSignatures(signatures), ...imageParts(message.images, signatures)];
}

function writePart(part: Part, signatures: AnswerSignatures, showsThoughts: boolean): GenaiPart[] {
  switch (part.kind) {
    case "thought":
      return joined(
        showsThoughts && part.text !== "" ? part.text : undefined,
        signedThought(part, showsThoughts, signatures),
      );
    case "text":
      return signText(part.text, 0, signatures);
    case "refusal":
      return [{ text: part.text }];
    case "call":
      return [callPart(part, signatures)];
  }
}

/** The text of a thought and its signature in one part, as the vendor has them. */
function joined(text: string | undefined, signed: readonly GenaiPart[]): GenaiPart[] {
  const [last] = signed;
  if (text === undefined) return [...signed];
  return [{ ...last, text, thought: true }];
}
