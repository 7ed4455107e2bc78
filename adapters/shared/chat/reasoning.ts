import type { ChatRequest } from "../../../src/engine/api/chat.ts";
import type { ChatMessage, ReasoningDetail } from "../../../src/engine/api/message.ts";
import type { Translation } from "./fields.ts";

const efforts = ["none", "minimal", "low", "medium", "high", "xhigh", "max"] as const;

/** How hard the caller wants the model to think. */
export type Effort = (typeof efforts)[number];

/** The reasoning that a caller requests; `undefined` fields were not requested. */
export interface RequestedReasoning {
  readonly effort: Effort | undefined;
  readonly maxTokens: number | undefined;
  readonly isExcluded: boolean;
  /** The field that requests it, for warnings. */
  readonly field: "reasoning" | "reasoning_effort";
}

/** Reads `reasoning`, or the `reasoning_effort` of OpenAI's own clients; `undefined` without either. */
export function requestedReasoning(
  request: ChatRequest,
  { provider, call }: Translation,
): RequestedReasoning | undefined {
  const { reasoning, reasoning_effort: older } = request;
  const olderEffort = efforts.find((known) => known === older);
  if (olderEffort === undefined && older !== undefined && older !== null)
    call.warn(`\`reasoning_effort\` ${JSON.stringify(older)} is not supported by ${provider}`);
  if (reasoning === undefined) {
    if (olderEffort === undefined) return undefined;
    return { effort: olderEffort, maxTokens: undefined, isExcluded: false, field: "reasoning_effort" };
  }
  const { effort = olderEffort, max_tokens: maxTokens, enabled, exclude, ...rest } = reasoning;
  for (const field of Object.keys(rest)) call.warn(`\`reasoning.${field}\` is not supported by ${provider}`);
  const isOff = effort === undefined && enabled === false;
  return { effort: isOff ? "none" : effort, maxTokens, isExcluded: exclude === true, field: "reasoning" };
}

/** How much of a turn's reasoning the details tell; all where they have no text of their own. */
function lengthOf(details: readonly ReasoningDetail[]): number {
  const texts = details.flatMap(({ text, summary }) => text || summary || []);
  if (details.length > 0 && texts.length === 0) return Number.POSITIVE_INFINITY;
  return texts.reduce((length, text) => length + text.length, 0);
}

/**
 * The reasoning of a past turn that may go back to `format`, one or several: other vendors' blocks and unsigned text stay behind, with a warning.
 * Order is by `index`, where given.
 */
export function ownReasoning(
  message: ChatMessage,
  format: string | readonly string[],
  from: Translation & { path: string },
): (ReasoningDetail & { readonly index: number })[] {
  const details = message.reasoning_details ?? [];
  const own = details.filter(
    ({ format: its }) => its === undefined || (typeof its === "string" && [format].flat().includes(its)),
  );
  if (own.length < details.length) {
    from.call.warn(`\`${from.path}.reasoning_details\` of another vendor are not sent to ${from.provider}`);
  }
  if (message.reasoning && own.length === details.length && message.reasoning.length > lengthOf(details)) {
    from.call.warn(`\`${from.path}.reasoning\` has no signature and is not sent to ${from.provider}`);
  }
  return own.map((detail, at) => ({ ...detail, index: detail.index ?? at })).sort((a, b) => a.index - b.index);
}
