import type { ChatMessage, ReasoningDetail } from "../../../src/engine/api/message.ts";
import { reasoningFormat } from "../../../src/engine/dialects/gemini/reasoning.ts";
import { isRecord } from "../../../src/engine/dialects/wire-values.ts";

/**
 * Gemini behind OpenAI's dialect seals a call in `extra_content.google.thought_signature`, and refuses the call in the next turn without
 * it. The seal is a reasoning detail that is tied to the call, which every dialect carries; beside the call it stays for clients that know
 * the vendor's field.
 */
export function sealsOf(calls: readonly unknown[] | undefined): ReasoningDetail[] {
  return (calls ?? []).filter(isRecord).flatMap(({ id, extra_content: extra }): ReasoningDetail[] => {
    const google = isRecord(extra) ? extra.google : undefined;
    const data = isRecord(google) ? google.thought_signature : undefined;
    if (typeof id !== "string" || typeof data !== "string") return [];
    return [{ type: "reasoning.encrypted", format: reasoningFormat, data, id }];
  });
}

/** True for a model that knows the seals; any other vendor refuses a field that it does not know. */
export function takesSeals(model: string): boolean {
  return /gemini/i.test(model);
}

/** The message with its seals beside its calls, for a model that takes them, and without any for others. */
export function withSeals(message: ChatMessage, isTaken: boolean): ChatMessage {
  const { tool_calls: calls, reasoning_details: details = [] } = message;
  if (!calls?.length) return message;
  const seals = new Map(details.flatMap(({ format, id, data }) => (isSeal(format, id, data) ? [[id, data]] : [])));
  const isBare = calls.every((call) => call.extra_content === undefined);
  if (isBare && !(isTaken && seals.size > 0)) return message;
  const sealed = calls.map(({ extra_content: extra, ...call }) => {
    const seal = seals.get(call.id);
    if (!isTaken) return call;
    if (seal === undefined) return extra === undefined ? call : { ...call, extra_content: extra };
    return { ...call, extra_content: { google: { thought_signature: seal } } };
  });
  const others = details.filter(({ format, id, data }) => !(isTaken && isSeal(format, id, data)));
  const { reasoning_details: _all, ...rest } = message;
  return { ...rest, tool_calls: sealed, ...(others.length > 0 ? { reasoning_details: others } : {}) };
}

function isSeal(format: unknown, id: unknown, data: unknown): boolean {
  return format === reasoningFormat && typeof id === "string" && typeof data === "string";
}
