import { hash } from "node:crypto";
import { canonicalText } from "./canonical.ts";

/** What is asked, as far as it decides the answer. Whole and streamed chats are one kind: the answer is the same. */
export type QuestionKind = "chat" | "embedding" | "rerank" | "decision";

/** A question to one target. */
export interface CacheQuestion {
  readonly kind: QuestionKind;
  /** `provider/model` that is to answer. */
  readonly target: string;
  readonly request: object;
}

/**
 * Fields that do not decide the answer: how it is delivered, who asks, what the vendor remembers (inference-resolved.md, section 8).
 * `model` is not read either, since the target says which model is meant. All other fields count, unknown ones too.
 */
const ignored: ReadonlySet<string> = new Set([
  "model",
  "fallbacks",
  "allow_other_model",
  "stream",
  "stream_options",
  "metadata",
  "user",
  "safety_identifier",
  "store",
  "prompt_cache_key",
  "prompt_cache_retention",
]);

/** The fields of a request that decide the answer. */
export function decisiveFields(request: object, others: readonly string[] = []): Record<string, unknown> {
  const fields: Record<string, unknown> = Object.create(null);
  for (const name of Object.keys(request)) {
    if (!ignored.has(name) && !others.includes(name)) fields[name] = (request as Record<string, unknown>)[name];
  }
  return fields;
}

/**
 * The name of a question: SHA-256 of its canonical text. Two questions have the same one exactly when kind, target and all fields that
 * decide the answer are equal. `undefined` when the request holds what JSON cannot.
 */
export function fingerprint({ kind, target, request }: CacheQuestion): string | undefined {
  return digest([kind, target, decisiveFields(request)]);
}

/** The SHA-256 of a value's canonical text, 43 characters of base64url. */
export function digest(value: unknown): string | undefined {
  const text = canonicalText(value);
  return text === undefined ? undefined : hash("sha256", text, "base64url");
}
