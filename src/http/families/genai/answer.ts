import type { ChatResponse, Choice } from "../../../api/chat.ts";
import { finishOf } from "../shared/finish.ts";
import { type Notes, warnUnkept } from "../shared/notes.ts";
import { type Part, partsOf } from "../shared/parts.ts";
import { finishReasonOf, writeLogProbs, writeSources, writeUsage } from "./candidate.ts";
import {
  callPart,
  imageParts,
  isBroken,
  leftSignatures,
  newSignatures,
  type Signatures,
  signedThought,
  signText,
  takeSignature,
} from "./parts.ts";
import type { GenaiPart, GenaiResponse } from "./schema.ts";

/** How an answer is told. */
export interface Telling {
  readonly notes: Notes;
  readonly showsThoughts: boolean;
}

/** The whole answer, one candidate per choice. */
export function writeAnswer(answer: ChatResponse, telling: Telling): GenaiResponse {
  return {
    candidates: answer.choices.map((choice) => writeCandidate(choice, telling)),
    ...writeUsage(answer.usage, answer.service_tier),
    modelVersion: answer.model,
    responseId: answer.id,
  };
}

function writeCandidate(choice: Choice, telling: Telling): GenaiResponse["candidates"][number] {
  const { message, index, finish_reason: reason } = choice;
  const parts = partsOf(message);
  const calls = parts.filter(({ kind }) => kind === "call");
  if (message.audio) warnUnkept(telling.notes, "audio", "of the answer has no place here");
  const text = parts.find(({ kind }) => kind === "text")?.text ?? "";
  const finish = finishOf(reason, calls.length > 0);
  const broken = calls.filter(isBroken);
  for (const { id } of broken)
    warnUnkept(telling.notes, id, "has arguments that are no JSON object; they are left out");
  return {
    index,
    content: { role: "model", parts: writeParts(parts, choice, telling) },
    finishReason: finishReasonOf(finish, broken.length > 0),
    ...writeSources(message.annotations ?? [], text),
    ...writeLogProbs(choice.log_probs),
  };
}

/** What is signed is told with its signature, wherever among the parts that stood. */
function writeParts(parts: readonly Part[], { message }: Choice, { showsThoughts }: Telling): GenaiPart[] {
  const signatures = newSignatures();
  const own = parts.filter((part) => !takeSignature(part, signatures));
  const written = own.flatMap((part) => writePart(part, signatures, showsThoughts));
  return [...written, ...leftSignatures(signatures), ...imageParts(message.images, signatures)];
}

function writePart(part: Part, signatures: Signatures, showsThoughts: boolean): GenaiPart[] {
  switch (part.kind) {
    case "thought":
      return joined(showsThoughts && part.text !== "" ? part.text : undefined, signedThought(part, showsThoughts));
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
