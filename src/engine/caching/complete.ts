import type { ChatResponse } from "../api/chat.ts";
import type { DecisionResponse } from "../api/decisions.ts";
import type { EmbeddingResponse } from "../api/embeddings.ts";
import type { RerankResponse } from "../api/rerank.ts";
import type { QuestionKind } from "./fingerprint.ts";

/** Ends of an answer that says all it had to say; `length` is cut off, `content_filter` and `error` are failures. */
const completeReasons: ReadonlySet<string | null> = new Set(["stop", "tool_calls"]);

const tests = {
  chat: ({ choices }: ChatResponse) =>
    choices.length > 0 && choices.every(({ finish_reason }) => completeReasons.has(finish_reason)),
  embedding: ({ data }: EmbeddingResponse) => data.length > 0,
  rerank: ({ results }: RerankResponse) => results.length > 0,
  decision: ({ answers }: DecisionResponse) => Object.keys(answers).length > 0,
} as const satisfies Record<QuestionKind, (answer: never) => boolean>;

/** True for an answer that may be kept: complete, and nothing of it refused or cut off. The answer is of the kind. */
export function isComplete(kind: QuestionKind, answer: object): boolean {
  return tests[kind](answer as never); // seam: the verb of the kind gave the answer
}
