import type { ChatResponse, Ending } from "../../../engine/api/chat.ts";
import type { Annotation } from "../../../engine/api/message.ts";
import type { AnthropicOwnBlock } from "../../../engine/dialects/anthropic/own-blocks.ts";
import type { ThoughtBlock } from "../../../engine/dialects/anthropic/reasoning.ts";
import { type AnthropicStopReason, writeStopReason } from "../../../engine/dialects/anthropic/stop-reasons.ts";
import { writeUsage } from "../../../engine/dialects/anthropic/usage.ts";
import { type FinishReason, finishReasonOf } from "../../../engine/dialects/finish-reason.ts";
import { GatewayError } from "../../../engine/errors.ts";
import { parseArguments } from "../../../engine/runtime/json/exact-json.ts";
import { type Part, partsOf } from "../shared/parts.ts";
import { type Notes, warnUnsupportedFields } from "../shared/translation-warnings.ts";
import type { AnthropicMessage } from "./schema.ts";
import { thoughtBlock, withoutThoughts } from "./thoughts.ts";

/** A source as the vendor has it. */
export interface Citation {
  readonly type: "web_search_result_location";
  readonly url: string;
  readonly title: string | null;
  readonly cited_text: string;
  readonly encrypted_index: string;
}

/** A block of an answer. */
export type MessageBlock =
  | ThoughtBlock
  | AnthropicOwnBlock
  | { readonly type: "text"; readonly text: string; readonly citations: readonly Citation[] | null }
  | {
      readonly type: "tool_use";
      readonly id: string;
      readonly name: string;
      readonly input: object;
      readonly caller: typeof directCaller;
    };

/** Who calls the tool: the model itself. */
export const directCaller = { type: "direct" } as const;

/** What of the request decides how its answer is written. */
export interface MessageForm {
  /** False for a caller who did not ask for thinking: the answer has no thinking blocks. */
  readonly showsThoughts: boolean;
  /** The stop sequences that the request names. */
  readonly stops: readonly string[];
}

/** Everything is shown, and there are no stop sequences. */
export const plainForm: MessageForm = { showsThoughts: true, stops: [] };

interface StopFacts extends Ending, Pick<MessageForm, "stops"> {}

/** The vendor's stop reason and what belongs to it. */
export interface Stop {
  readonly stop_reason: AnthropicStopReason;
  readonly stop_sequence: string | null;
  readonly stop_details: {
    readonly type: "refusal";
    readonly category: null;
    readonly explanation: string | null;
  } | null;
}

/**
 * The whole answer; the vendor has one choice only. Throws when the model ended by an error, for which the vendor has no stop reason.
 */
export function writeAnswer(answer: ChatResponse, notes: Notes, form: MessageForm = plainForm): AnthropicMessage {
  const [choice] = answer.choices;
  const message = choice?.message ?? { role: "assistant" };
  const all = partsOf(message);
  const parts = form.showsThoughts ? all : withoutThoughts(all);
  for (const field of ["audio", "images"])
    if (message[field]) warnUnsupportedFields(notes, field, "of the answer has no counterpart here");
  const hasCalls = parts.some(({ kind }) => kind === "call");
  return {
    id: answer.id,
    type: "message",
    role: "assistant",
    model: answer.model,
    content: parts.map((part) => writeBlock(part, message.annotations ?? [], notes)),
    ...stopOf(finishReasonOf(choice?.finish_reason, hasCalls), message.refusal ?? null, { ...choice, ...form }),
    container: null,
    diagnostics: null,
    usage: writeUsage(answer.usage, answer.service_tier),
  };
}

function writeBlock(part: Part, annotations: readonly Annotation[], notes: Notes): MessageBlock {
  switch (part.kind) {
    case "thought":
      return thoughtBlock(part);
    case "text":
      return { type: "text", text: part.text, citations: citationsOf(annotations) };
    case "refusal":
      return { type: "text", text: part.text, citations: null };
    case "call":
      return { type: "tool_use", id: part.id, name: part.name, input: inputOf(part, notes), caller: directCaller };
  }
}

/** Arguments that are no object, as a cut-off answer has them, are left out: the vendor has no room for them. */
function inputOf({ id, text }: Part, notes: Notes): object {
  const input = parseArguments(text);
  if (input === undefined) warnUnsupportedFields(notes, id, "has arguments that are no JSON object; they are left out");
  return input ?? {};
}

/** The pages among the sources; `null` without any. */
export function citationsOf(annotations: readonly Annotation[]): Citation[] | null {
  const citations = annotations.flatMap(({ url_citation: page }): Citation[] => {
    if (page?.url === undefined) return [];
    const { url, title = null } = page;
    return [{ type: "web_search_result_location", url, title, cited_text: "", encrypted_index: "" }];
  });
  return citations.length === 0 ? null : citations;
}

/** How the answer stopped. A stop sequence that the vendor does not name is the request's, where that has one only. */
export function stopOf(finish: FinishReason, explanation: string | null, { stops, ...ending }: StopFacts): Stop {
  if (finish === "error")
    throw new GatewayError("upstream_invalid_response", "The model ended its answer with an error.");
  const details = finish === "content_filter" ? ({ type: "refusal", category: null, explanation } as const) : null;
  const reason = writeStopReason(finish, ending);
  const only = stops.length === 1 ? stops[0] : undefined;
  const sequence = reason === "stop_sequence" ? (ending.stop_sequence ?? only ?? null) : null;
  return { stop_reason: reason, stop_sequence: sequence, stop_details: details };
}
