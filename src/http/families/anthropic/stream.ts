import type { ChatChunk, ChunkChoice } from "../../../api/chat.ts";
import type { Usage } from "../../../api/usage.ts";
import type { GatewayError } from "../../../errors.ts";
import { toEvent } from "../../sse.ts";
import type { ChunkWriter } from "../shared/family.ts";
import { finishOf } from "../shared/finish.ts";
import { type Part, type PartReader, type PartStep, partReader } from "../shared/parts.ts";
import { type Citation, citationsOf, directCaller, stopOf } from "./answer.ts";
import { errorBody } from "./errors.ts";
import { thoughtBlock } from "./thoughts.ts";
import { writeUsage } from "./usage.ts";

interface Told {
  readonly parts: PartReader;
  hasStarted: boolean;
  hasCalls: boolean;
  /** Blocks so far. */
  blocks: number;
  /** The text block that is open. */
  openText: Part | undefined;
  /** Sources that came when no text was open. */
  readonly pending: Citation[];
  finish: string | null;
  refusal: string;
  usage: Usage | undefined;
  tier: string | undefined;
}

/** Writes the vendor's events, `message_start` to `message_stop`. Usage is told at the end: before it nobody knows it. */
export function streamWriter(): ChunkWriter {
  const told: Told = {
    parts: partReader(),
    hasStarted: false,
    hasCalls: false,
    blocks: 0,
    openText: undefined,
    pending: [],
    finish: null,
    refusal: "",
    usage: undefined,
    tier: undefined,
  };
  return {
    write(chunk) {
      if (chunk.usage) told.usage = chunk.usage;
      if (chunk.service_tier) told.tier = chunk.service_tier;
      const choice = chunk.choices.find(({ index }) => index === 0);
      return start(told, chunk) + (choice === undefined ? "" : writeChoice(told, choice));
    },
    end: () => writeSteps(told, told.parts.end()) + writeEnd(told),
    fail: (error: GatewayError, eventId: string) => toEvent("error", errorBody(error, eventId)),
  };
}

function start(told: Told, { id, model }: ChatChunk): string {
  if (told.hasStarted) return "";
  told.hasStarted = true;
  const empty = { stop_reason: null, stop_sequence: null, stop_details: null, container: null, diagnostics: null };
  const usage = writeUsage(undefined, told.tier);
  const message = { id, type: "message", role: "assistant", model, content: [], ...empty, usage };
  return toEvent("message_start", { type: "message_start", message });
}

function writeChoice(told: Told, { delta, finish_reason }: ChunkChoice): string {
  if (finish_reason !== null) told.finish = finish_reason;
  if (delta.refusal) told.refusal += delta.refusal;
  return writeSteps(told, told.parts.read(delta));
}

function writeSteps(told: Told, steps: readonly PartStep[]): string {
  return steps.map((step) => writeStep(told, step)).join("");
}

function writeStep(told: Told, step: PartStep): string {
  switch (step.kind) {
    case "open":
      return openBlock(told, step.part);
    case "grow":
      return growBlock(told, step.part, step.delta);
    case "close":
      return closeBlock(told, step.part);
    case "cite":
      return cite(told, citationsOf(step.annotations) ?? []);
  }
}

/** Encrypted thoughts are told when they are whole: their block has no deltas. */
function isWholeOnly({ kind, detail }: Part): boolean {
  return kind === "thought" && detail?.type === "reasoning.encrypted";
}

function openBlock(told: Told, part: Part): string {
  if (part.kind === "call") told.hasCalls = true;
  if (part.kind === "text") told.openText = part;
  return isWholeOnly(part) ? "" : startBlock(told, emptyBlock(part));
}

function emptyBlock({ kind, id, name }: Part): object {
  if (kind === "call") return { type: "tool_use", id, name, input: {}, caller: directCaller };
  return kind === "thought"
    ? { type: "thinking", thinking: "", signature: "" }
    : { type: "text", text: "", citations: null };
}

function startBlock(told: Told, block: object): string {
  return toEvent("content_block_start", { type: "content_block_start", index: told.blocks++, content_block: block });
}

function growBlock(told: Told, part: Part, text: string): string {
  if (isWholeOnly(part)) return "";
  if (part.kind === "call") return blockDelta(told, { type: "input_json_delta", partial_json: text });
  if (part.kind === "thought") return blockDelta(told, { type: "thinking_delta", thinking: text });
  return blockDelta(told, { type: "text_delta", text });
}

function blockDelta(told: Told, delta: object): string {
  return toEvent("content_block_delta", { type: "content_block_delta", index: told.blocks - 1, delta });
}

function closeBlock(told: Told, part: Part): string {
  if (part.kind === "text") told.openText = undefined;
  if (part.kind !== "thought") return stopBlock(told);
  const block = thoughtBlock(part);
  if (block.type === "redacted_thinking") return startBlock(told, block) + stopBlock(told);
  const { signature } = block;
  return (signature === "" ? "" : blockDelta(told, { type: "signature_delta", signature })) + stopBlock(told);
}

function stopBlock(told: Told): string {
  return toEvent("content_block_stop", { type: "content_block_stop", index: told.blocks - 1 });
}

function cite(told: Told, citations: readonly Citation[]): string {
  if (told.openText !== undefined) {
    return citations.map((citation) => blockDelta(told, { type: "citations_delta", citation })).join("");
  }
  told.pending.push(...citations);
  return "";
}

function writeEnd(told: Told): string {
  const { pending, finish, hasCalls, refusal, usage, tier } = told;
  const stop = stopOf(finishOf(finish, hasCalls), refusal === "" ? null : refusal);
  const sources =
    pending.length === 0 ? "" : startBlock(told, { type: "text", text: "", citations: pending }) + stopBlock(told);
  const delta = { type: "message_delta", delta: { ...stop, container: null }, usage: writeUsage(usage, tier) };
  return sources + toEvent("message_delta", delta) + toEvent("message_stop", { type: "message_stop" });
}
