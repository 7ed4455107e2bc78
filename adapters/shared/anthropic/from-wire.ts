import type { ChatResponse } from "../../../src/engine/api/chat.ts";
import type {
  Annotation,
  AnsweredMessage,
  FunctionToolCall,
  ReasoningDetail,
} from "../../../src/engine/api/message.ts";
import { isOwnBlock, ownBlockDetail } from "../../../src/engine/dialects/anthropic/own-blocks.ts";
import { redactedDetail, thoughtDetail } from "../../../src/engine/dialects/anthropic/reasoning.ts";
import { readUsage } from "../../../src/engine/dialects/anthropic/usage.ts";
import { type PlaceList, placeList } from "../../../src/engine/dialects/order.ts";
import { isRecord, optionalText, textOf } from "../../../src/engine/dialects/wire-values.ts";
import { GatewayError } from "../../../src/engine/errors.ts";
import type { Translation } from "../chat/fields.ts";
import { reading } from "../chat/lenient.ts";
import {
  annotationsOf,
  endingOf,
  refusalOf,
  searchResultsOf,
  toolCallOf,
  type WebSearchResult,
  warnOfBlock,
} from "./blocks.ts";
import type { WireBlock, WireMessage } from "./wire.ts";

/** A message while its blocks are read. */
interface MessageBlocksState {
  text: string;
  thought: string;
  readonly places: PlaceList;
  readonly details: ReasoningDetail[];
  readonly calls: FunctionToolCall[];
  readonly annotations: Annotation[];
  readonly found: WebSearchResult[];
}

/** Reads the answer of `POST /v1/messages`; throws `upstream_invalid_response` when it is not a message. */
export const fromWire = reading(readWhole);

function readWhole(body: unknown, context: Translation): ChatResponse {
  if (!isRecord(body) || !Array.isArray(body.content)) {
    throw new GatewayError("upstream_invalid_response", `The answer of ${context.provider} holds no message.`);
  }
  const message = body as WireMessage;
  const reading: MessageBlocksState = {
    text: "",
    thought: "",
    places: placeList(),
    details: [],
    calls: [],
    annotations: [],
    found: [],
  };
  for (const block of message.content ?? []) if (isRecord(block)) readBlock(block, reading, context);
  const usage = readUsage(message.usage);
  const tier = optionalText(message.usage?.service_tier);
  return {
    id: optionalText(message.id) ?? context.call.id,
    object: "chat.completion",
    created: Math.floor(context.call.startedAt / 1000),
    model: optionalText(message.model) ?? context.call.model,
    choices: [{ index: 0, ...endingOf(message, context), message: messageOf(reading, refusalOf(message)) }],
    ...(tier === undefined ? {} : { service_tier: tier }),
    ...(usage === undefined ? {} : { usage }),
    ...(reading.found.length === 0 ? {} : { search_results: reading.found }),
  };
}

function readBlock(block: WireBlock, reading: MessageBlocksState, context: Translation): void {
  switch (block.type) {
    case "text":
      readText(block, reading);
      break;
    case "thinking":
      readThinking(block, reading);
      break;
    case "redacted_thinking":
      reading.details.push(redactedDetail(reading.places.thought(), textOf(block.data)));
      break;
    case "tool_use":
      reading.places.call();
      reading.calls.push(toolCallOf(block, reading.calls.length, context));
      break;
    default:
      if (block.type === "web_search_tool_result") reading.found.push(...searchResultsOf(block, context));
      if (isOwnBlock(block)) reading.details.push(ownBlockDetail(block, reading.places.thought()));
      else warnOfBlock(block, context);
  }
}

function readText({ text: raw, citations }: WireBlock, reading: MessageBlocksState): void {
  const text = textOf(raw);
  if (text === "") return;
  const start = reading.text.length;
  reading.text += text;
  reading.places.text(reading.text.length);
  reading.annotations.push(...annotationsOf(citations ?? [], start, reading.text.length));
}

function readThinking(block: WireBlock, reading: MessageBlocksState): void {
  const thinking = textOf(block.thinking);
  const signature = textOf(block.signature);
  reading.thought += thinking;
  const parts = { ...(thinking ? { text: thinking } : {}), ...(signature ? { signature } : {}) };
  reading.details.push(thoughtDetail(reading.places.thought(), parts));
}

function messageOf(
  { text, thought, details, calls, annotations, places }: MessageBlocksState,
  refusal: string | undefined,
): AnsweredMessage {
  return {
    role: "assistant",
    content: text === "" ? null : text,
    ...(thought === "" ? {} : { reasoning: thought }),
    ...(details.length === 0 ? {} : { reasoning_details: details }),
    ...(refusal === undefined ? {} : { refusal }),
    ...(annotations.length === 0 ? {} : { annotations }),
    ...places.mark(calls),
  };
}
