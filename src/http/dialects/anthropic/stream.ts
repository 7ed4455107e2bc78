import type { ChatChunk, ChunkChoice, Ending } from "../../../engine/api/chat.ts";
import type { ReasoningDetail } from "../../../engine/api/message.ts";
import type { Usage } from "../../../engine/api/usage.ts";
import { writeUsage } from "../../../engine/dialects/anthropic/usage.ts";
import { finishReasonOf } from "../../../engine/dialects/finish-reason.ts";
import type { GatewayError } from "../../../engine/errors.ts";
import { toEvent } from "../../response/sse.ts";
import type { ChunkWriter } from "../shared/dialect.ts";
import { type Part, type PartReader, type PartStep, partReader } from "../shared/parts.ts";
import { type Citation, citationsOf, directCaller, type MessageForm, plainForm, stopOf } from "./answer.ts";
import { errorBody } from "./errors.ts";
import { carriedDetail, isThought, packCallId, thoughtBlock } from "./thoughts.ts";

interface AnthropicStreamState {
  readonly parts: PartReader;
  readonly form: MessageForm;
  /** What of hidden thoughts travels in the id of the next call. */
  readonly carried: ReasoningDetail[];
  hasStarted: boolean;
  hasCalls: boolean;
  /** Blocks so far. */
  blocks: number;
  /** The text block that is open. */
  openText: Part | undefined;
  /** Sources that came when no text was open. */
  readonly pending: Citation[];
  finish: string | null;
  ending: Ending;
  refusal: string;
  usage: Usage | undefined;
  tier: string | undefined;
}

/** Writes the vendor's events, `message_start` to `message_stop`. Usage comes with `message_delta`: it is unknown before. */
export function streamWriter(form = plainForm): ChunkWriter {
  const state: AnthropicStreamState = {
    parts: partReader(),
    form,
    carried: [],
    hasStarted: false,
    hasCalls: false,
    blocks: 0,
    openText: undefined,
    pending: [],
    finish: null,
    ending: {},
    refusal: "",
    usage: undefined,
    tier: undefined,
  };
  return {
    wait: () => toEvent("ping", { type: "ping" }),
    write(chunk) {
      if (chunk.usage) state.usage = chunk.usage;
      if (chunk.service_tier) state.tier = chunk.service_tier;
      const choice = chunk.choices.find(({ index }) => index === 0);
      return start(state, chunk) + (choice === undefined ? "" : writeChoice(state, choice));
    },
    end: () => writeSteps(state, state.parts.end()) + writeEnd(state),
    fail: (error: GatewayError, eventId: string) => toEvent("error", errorBody(error, eventId)),
  };
}

function start(state: AnthropicStreamState, { id, model }: ChatChunk): string {
  if (state.hasStarted) return "";
  state.hasStarted = true;
  const empty = { stop_reason: null, stop_sequence: null, stop_details: null, container: null, diagnostics: null };
  const usage = writeUsage(undefined, state.tier);
  const message = { id, type: "message", role: "assistant", model, content: [], ...empty, usage };
  return toEvent("message_start", { type: "message_start", message });
}

function writeChoice(state: AnthropicStreamState, choice: ChunkChoice): string {
  const { delta, finish_reason } = choice;
  if (finish_reason !== null) {
    state.finish = finish_reason;
    state.ending = choice;
  }
  if (delta.refusal) state.refusal += delta.refusal;
  return writeSteps(state, state.parts.read(delta));
}

function writeSteps(state: AnthropicStreamState, steps: readonly PartStep[]): string {
  return steps.map((step) => writeStep(state, step)).join("");
}

function writeStep(state: AnthropicStreamState, step: PartStep): string {
  if (!state.form.showsThoughts && step.kind !== "cite" && isThought(step.part)) {
    if (step.kind === "close") state.carried.push(...carriedDetail(step.part));
    return "";
  }
  switch (step.kind) {
    case "open":
      return openBlock(state, step.part);
    case "grow":
      return growBlock(state, step.part, step.delta);
    case "close":
      return closeBlock(state, step.part);
    case "cite":
      return cite(state, citationsOf(step.annotations) ?? []);
  }
}

/** Encrypted thoughts are written once they are whole: their block has no deltas. */
function isWholeOnly({ kind, detail }: Part): boolean {
  return kind === "thought" && detail?.type === "reasoning.encrypted";
}

function openBlock(state: AnthropicStreamState, part: Part): string {
  if (part.kind === "call") state.hasCalls = true;
  if (part.kind === "text") state.openText = part;
  return isWholeOnly(part) ? "" : startBlock(state, emptyBlock(part, state.carried));
}

function emptyBlock({ kind, id, name }: Part, carried: ReasoningDetail[]): object {
  if (kind === "call")
    return { type: "tool_use", id: packCallId(id, carried.splice(0)), name, input: {}, caller: directCaller };
  return kind === "thought"
    ? { type: "thinking", thinking: "", signature: "" }
    : { type: "text", text: "", citations: null };
}

function startBlock(state: AnthropicStreamState, block: object): string {
  return toEvent("content_block_start", { type: "content_block_start", index: state.blocks++, content_block: block });
}

function growBlock(state: AnthropicStreamState, part: Part, text: string): string {
  if (isWholeOnly(part)) return "";
  if (part.kind === "call") return blockDelta(state, { type: "input_json_delta", partial_json: text });
  if (part.kind === "thought") return blockDelta(state, { type: "thinking_delta", thinking: text });
  return blockDelta(state, { type: "text_delta", text });
}

function blockDelta(state: AnthropicStreamState, delta: object): string {
  return toEvent("content_block_delta", { type: "content_block_delta", index: state.blocks - 1, delta });
}

function closeBlock(state: AnthropicStreamState, part: Part): string {
  if (part.kind === "text") state.openText = undefined;
  if (part.kind !== "thought") return stopBlock(state);
  const block = thoughtBlock(part);
  if (block.type !== "thinking") return startBlock(state, block) + stopBlock(state);
  const { signature } = block;
  return (signature === "" ? "" : blockDelta(state, { type: "signature_delta", signature })) + stopBlock(state);
}

function stopBlock(state: AnthropicStreamState): string {
  return toEvent("content_block_stop", { type: "content_block_stop", index: state.blocks - 1 });
}

function cite(state: AnthropicStreamState, citations: readonly Citation[]): string {
  if (state.openText !== undefined) {
    return citations.map((citation) => blockDelta(state, { type: "citations_delta", citation })).join("");
  }
  state.pending.push(...citations);
  return "";
}

function writeEnd(state: AnthropicStreamState): string {
  const { pending, finish, hasCalls, refusal, usage, tier, ending, form } = state;
  const stop = stopOf(finishReasonOf(finish, hasCalls), refusal === "" ? null : refusal, { ...ending, ...form });
  const sources =
    pending.length === 0 ? "" : startBlock(state, { type: "text", text: "", citations: pending }) + stopBlock(state);
  const delta = { type: "message_delta", delta: { ...stop, container: null }, usage: writeUsage(usage, tier) };
  return sources + toEvent("message_delta", delta) + toEvent("message_stop", { type: "message_stop" });
}
