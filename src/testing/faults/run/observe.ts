import type { ChatChunk, ChatRequest } from "../../../engine/api/chat.ts";
import { type AttemptReport, isGatewayError } from "../../../engine/errors.ts";
import type { AnswerMode } from "../scenarios/scenario.ts";
import type { FaultTestCaller, FaultTestCallOptions } from "./caller.ts";

/** What the caller saw of one request. */
export interface Observation {
  readonly text: string;
  readonly reasoning: string;
  /** Calls of tools in order, as `name(arguments)`. */
  readonly calls: readonly string[];
  /** True when the answer came to its end without an error. */
  readonly isComplete: boolean;
  /** Models that are named as having served, in order of their first appearance. */
  readonly speakers: readonly string[];
  readonly hasWarnings: boolean;
  readonly code?: string | undefined;
  readonly status?: number | undefined;
  readonly retryAfterMs?: number | undefined;
  readonly attempts: readonly AttemptReport[];
  /** Promises of the interface that were broken, whatever the scenario is about. */
  readonly faults: readonly string[];
}

type ObservationDraft = {
  -readonly [Field in keyof Observation]: Observation[Field] extends readonly (infer Item)[]
    ? Item[]
    : Observation[Field];
};

/** Asks once and writes down what came of it; never throws. */
export async function observe(
  caller: FaultTestCaller,
  request: { readonly chat: ChatRequest; readonly mode: AnswerMode },
  options: FaultTestCallOptions,
): Promise<Observation> {
  const draft: ObservationDraft = {
    text: "",
    reasoning: "",
    calls: [],
    isComplete: false,
    speakers: [],
    hasWarnings: false,
    attempts: [],
    faults: [],
  };
  try {
    if (request.mode === "whole") await observeWhole(draft, caller.chat(request.chat, options));
    else await observeStream(draft, caller.streamChat(request.chat, options));
    draft.isComplete = true;
  } catch (thrown) {
    noteFailure(draft, thrown);
  }
  return draft;
}

function noteFailure(draft: ObservationDraft, thrown: unknown): void {
  if (!isGatewayError(thrown)) {
    draft.faults.push(thrown instanceof Error ? thrown.message : String(thrown));
    return;
  }
  draft.code = thrown.code;
  draft.status = thrown.status;
  draft.retryAfterMs = thrown.retryAfterMs;
  draft.attempts.push(...thrown.attempts);
}

async function observeWhole(draft: ObservationDraft, primary: ReturnType<FaultTestCaller["chat"]>): Promise<void> {
  const { choices, extra_fields } = await primary;
  const [choice] = choices;
  const content = choice?.message.content;
  draft.text = typeof content === "string" ? content : "";
  draft.reasoning = choice?.message.reasoning ?? "";
  draft.calls = (choice?.message.tool_calls ?? []).map((call) => writeCall(call.function));
  noteSpeaker(draft, extra_fields);
  if (!choice?.finish_reason) draft.faults.push("an answer without a reason for its end");
}

async function observeStream(
  draft: ObservationDraft,
  primary: ReturnType<FaultTestCaller["streamChat"]>,
): Promise<void> {
  let index = 0;
  let finishes = 0;
  const calls: Record<"name" | "arguments", string>[] = [];
  for await (const { choices, extra_fields } of await primary) {
    if (extra_fields?.chunk_index !== index) draft.faults.push(`chunk ${index} says ${extra_fields?.chunk_index}`);
    index += 1;
    noteSpeaker(draft, extra_fields);
    for (const { delta, finish_reason } of choices) {
      if (delta.content && finishes > 0) draft.faults.push("content behind the reason for the end");
      draft.text += delta.content ?? "";
      draft.reasoning += delta.reasoning ?? "";
      for (const piece of delta.tool_calls ?? []) addPiece(calls, piece);
      if (finish_reason !== null) finishes += 1;
    }
  }
  draft.calls = calls.filter(Boolean).map(writeCall);
  if (finishes !== 1) draft.faults.push(`a complete stream with ${finishes} reasons for its end`);
}

interface CallPiece {
  readonly index?: number | undefined;
  readonly function?: { readonly name?: string | undefined; readonly arguments?: string | undefined } | undefined;
}

function addPiece(calls: Record<"name" | "arguments", string>[], { index = 0, function: piece }: CallPiece): void {
  const call = calls[index] ?? { name: "", arguments: "" };
  calls[index] = { name: call.name + (piece?.name ?? ""), arguments: call.arguments + (piece?.arguments ?? "") };
}

function writeCall(
  call: { readonly name?: string | undefined; readonly arguments?: string | undefined } | undefined,
): string {
  return `${call?.name ?? ""}(${call?.arguments ?? ""})`;
}

function noteSpeaker(draft: ObservationDraft, extra: ChatChunk["extra_fields"]): void {
  const { model_deployment: model, warnings } = extra ?? {};
  if (model === undefined) draft.faults.push("an answer that does not say who served it");
  else if (!draft.speakers.includes(model)) draft.speakers.push(model);
  if (warnings?.length) draft.hasWarnings = true;
}
