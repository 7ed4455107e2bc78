import type { ChatRequest } from "../../../src/api/chat.ts";
import type { ChatMessage, ReasoningDetail } from "../../../src/api/message.ts";
import type { Translation } from "./fields.ts";

const efforts = ["none", "minimal", "low", "medium", "high", "xhigh"] as const;

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
  if (reasoning === undefined) {
    const effort = older === "max" ? "xhigh" : efforts.find((known) => known === older);
    if (effort !== older && older !== undefined && older !== null) {
      const instead = effort === undefined ? "" : `, ${effort} is sent`;
      call.warn(`\`reasoning_effort\` ${JSON.stringify(older)} is not supported by ${provider}${instead}`);
    }
    if (effort === undefined) return undefined;
    return { effort, maxTokens: undefined, isExcluded: false, field: "reasoning_effort" };
  }
  const { effort, max_tokens: maxTokens, enabled, exclude, ...rest } = reasoning;
  for (const field of Object.keys(rest)) call.warn(`\`reasoning.${field}\` is not supported by ${provider}`);
  const isOff = effort === undefined && enabled === false;
  return { effort: isOff ? "none" : effort, maxTokens, isExcluded: exclude === true, field: "reasoning" };
}

/**
 * The reasoning of a past turn that may go back to `format`, one or several: other vendors' blocks and unsigned text stay behind, with a warning.
 * Order is by `index`, where given.
 */
export function ownReasoning(
  message: ChatMessage,
  format: string | readonly string[],
  from: Translation & { path: string },
): ReasoningDetail[] {
  const details = message.reasoning_details ?? [];
  const own = details.filter(
    ({ format: its }) => its === undefined || (typeof its === "string" && [format].flat().includes(its)),
  );
  if (own.length < details.length) {
    from.call.warn(`\`${from.path}.reasoning_details\` of another vendor are not sent to ${from.provider}`);
  }
  if (details.length === 0 && message.reasoning) {
    from.call.warn(`\`${from.path}.reasoning\` has no signature and is not sent to ${from.provider}`);
  }
  return own.map((detail, at) => ({ ...detail, index: detail.index ?? at })).sort((a, b) => a.index - b.index);
}
