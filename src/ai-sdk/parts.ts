import type { LanguageModelV4StreamPart, SharedV4Warning } from "@ai-sdk/provider";
import type { ChatChunk } from "../engine/api/chat.ts";
import type { ExtraFields } from "../engine/api/common.ts";
import type { ReasoningDetail } from "../engine/api/message.ts";
import type { Usage } from "../engine/api/usage.ts";
import { detailed, sourcesOf, toMetadata, toSdkWarnings } from "./answer.ts";
import { toSdkFinish, toSdkUsage } from "./usage.ts";

type SdkStreamPart = LanguageModelV4StreamPart;

/** A tool call on its way. */
interface SdkToolCall {
  readonly id: string;
  readonly name: string;
  input: string;
}

/** What of a stream is open. */
interface SdkStreamState {
  open: "text" | "reasoning" | undefined;
  block: number;
  readonly calls: Map<number, SdkToolCall>;
  readonly details: ReasoningDetail[];
  usage: Usage | undefined;
  extra: ExtraFields | undefined;
  finish: string | null;
}

/** Our chunks as the AI SDK's parts. A stream that breaks says so and ends with the reason `error`: it never looks complete. */
export async function* toParts(
  chunks: AsyncIterable<ChatChunk>,
  warnings: readonly SharedV4Warning[],
): AsyncGenerator<SdkStreamPart> {
  const state: SdkStreamState = {
    open: undefined,
    block: 0,
    calls: new Map(),
    details: [],
    usage: undefined,
    extra: undefined,
    finish: null,
  };
  let isFirst = true;
  try {
    for await (const chunk of chunks) {
      if (isFirst) yield* begin(chunk, warnings);
      isFirst = false;
      yield* sdkParts(state, chunk);
    }
  } catch (error) {
    yield { type: "error", error };
    const usage = toSdkUsage(state.usage);
    yield { type: "finish", usage, finishReason: { unified: "error", raw: undefined } };
    return;
  }
  yield* close(state);
  for (const { id, name, input } of state.calls.values()) {
    yield { type: "tool-input-end", id };
    yield { type: "tool-call", toolCallId: id, toolName: name, input: input || "{}" };
  }
  const { usage, extra, finish } = state;
  yield {
    type: "finish",
    usage: toSdkUsage(usage),
    finishReason: toSdkFinish(finish),
    providerMetadata: toMetadata(extra, usage),
  };
}

function* begin(chunk: ChatChunk, warnings: readonly SharedV4Warning[]): Generator<SdkStreamPart> {
  yield { type: "stream-start", warnings: [...warnings, ...toSdkWarnings(chunk.extra_fields)] };
  const timestamp = new Date(chunk.created * 1_000);
  yield { type: "response-metadata", id: chunk.id, modelId: chunk.model, timestamp };
}

function* sdkParts(state: SdkStreamState, { choices, usage, extra_fields }: ChatChunk): Generator<SdkStreamPart> {
  if (usage) state.usage = usage;
  if (extra_fields) state.extra = extra_fields;
  const [choice] = choices;
  if (choice?.index !== 0) return;
  const { delta, finish_reason } = choice;
  if (delta.reasoning_details) state.details.push(...delta.reasoning_details);
  if (delta.reasoning) yield* add(state, "reasoning", delta.reasoning);
  const text = delta.content || delta.refusal;
  if (text) yield* add(state, "text", text);
  for (const call of delta.tool_calls ?? []) yield* addCall(state, call);
  for (const source of sourcesOf(delta.annotations)) if (source.type === "source") yield source;
  if (finish_reason !== null) state.finish = finish_reason;
}

function* add(state: SdkStreamState, kind: "text" | "reasoning", delta: string): Generator<SdkStreamPart> {
  if (state.open !== kind) {
    yield* close(state);
    state.open = kind;
    state.block++;
    yield { type: `${kind}-start`, id: String(state.block) };
  }
  yield { type: `${kind}-delta`, id: String(state.block), delta };
}

function* close(state: SdkStreamState): Generator<SdkStreamPart> {
  const id = String(state.block);
  if (state.open === "text") yield { type: "text-end", id };
  if (state.open === "reasoning") yield { type: "reasoning-end", id, ...detailed(state.details.splice(0)) };
  state.open = undefined;
}

type SdkToolCallDelta = NonNullable<ChatChunk["choices"][number]["delta"]["tool_calls"]>[number];

function* addCall(
  state: SdkStreamState,
  { index = 0, id, function: called }: SdkToolCallDelta,
): Generator<SdkStreamPart> {
  let call = state.calls.get(index);
  if (!call) {
    yield* close(state);
    call = { id: id ?? `call_${index}`, name: called?.name ?? "", input: "" };
    state.calls.set(index, call);
    yield { type: "tool-input-start", id: call.id, toolName: call.name };
  }
  if (!called?.arguments) return;
  call.input += called.arguments;
  yield { type: "tool-input-delta", id: call.id, delta: called.arguments };
}

/** An iteration as a stream that is read as it is pulled; cancelling it ends the iteration. */
export function toStream<Value>(values: AsyncGenerator<Value>): ReadableStream<Value> {
  return new ReadableStream<Value>(
    {
      async pull(controller) {
        const step = await values.next();
        if (step.done) controller.close();
        else controller.enqueue(step.value);
      },
      cancel: async () => void (await values.return(undefined)),
    },
    { highWaterMark: 0 },
  );
}
