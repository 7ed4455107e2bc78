import type { LanguageModelV4StreamPart, SharedV4Warning } from "@ai-sdk/provider";
import type { ChatChunk } from "../api/chat.ts";
import type { ExtraFields } from "../api/common.ts";
import type { ReasoningDetail } from "../api/message.ts";
import type { Usage } from "../api/usage.ts";
import { detailed, sourcesOf, toMetadata, toSdkWarnings } from "./answer.ts";
import { toSdkFinish, toSdkUsage } from "./usage.ts";

type Part = LanguageModelV4StreamPart;

/** A tool call on its way. */
interface OpenCall {
  readonly id: string;
  readonly name: string;
  input: string;
}

/** What of a stream is open. */
interface Telling {
  open: "text" | "reasoning" | undefined;
  block: number;
  readonly calls: Map<number, OpenCall>;
  readonly details: ReasoningDetail[];
  usage: Usage | undefined;
  extra: ExtraFields | undefined;
  finish: string | null;
}

/** Our chunks as the AI SDK's parts. A stream that breaks says so and ends with the reason `error`: it never looks complete. */
export async function* toParts(
  chunks: AsyncIterable<ChatChunk>,
  warnings: readonly SharedV4Warning[],
): AsyncGenerator<Part> {
  const telling: Telling = {
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
      yield* tell(telling, chunk);
    }
  } catch (error) {
    yield { type: "error", error };
    const usage = toSdkUsage(telling.usage);
    yield { type: "finish", usage, finishReason: { unified: "error", raw: undefined } };
    return;
  }
  yield* close(telling);
  for (const { id, name, input } of telling.calls.values()) {
    yield { type: "tool-input-end", id };
    yield { type: "tool-call", toolCallId: id, toolName: name, input: input || "{}" };
  }
  const { usage, extra, finish } = telling;
  yield {
    type: "finish",
    usage: toSdkUsage(usage),
    finishReason: toSdkFinish(finish),
    providerMetadata: toMetadata(extra, usage),
  };
}

function* begin(chunk: ChatChunk, warnings: readonly SharedV4Warning[]): Generator<Part> {
  yield { type: "stream-start", warnings: [...warnings, ...toSdkWarnings(chunk.extra_fields)] };
  const timestamp = new Date(chunk.created * 1_000);
  yield { type: "response-metadata", id: chunk.id, modelId: chunk.model, timestamp };
}

function* tell(telling: Telling, { choices, usage, extra_fields }: ChatChunk): Generator<Part> {
  if (usage) telling.usage = usage;
  if (extra_fields) telling.extra = extra_fields;
  const [choice] = choices;
  if (choice?.index !== 0) return;
  const { delta, finish_reason } = choice;
  if (delta.reasoning_details) telling.details.push(...delta.reasoning_details);
  if (delta.reasoning) yield* add(telling, "reasoning", delta.reasoning);
  const text = delta.content || delta.refusal;
  if (text) yield* add(telling, "text", text);
  for (const call of delta.tool_calls ?? []) yield* addCall(telling, call);
  for (const source of sourcesOf(delta.annotations)) if (source.type === "source") yield source;
  if (finish_reason !== null) telling.finish = finish_reason;
}

function* add(telling: Telling, kind: "text" | "reasoning", delta: string): Generator<Part> {
  if (telling.open !== kind) {
    yield* close(telling);
    telling.open = kind;
    telling.block++;
    yield { type: `${kind}-start`, id: String(telling.block) };
  }
  yield { type: `${kind}-delta`, id: String(telling.block), delta };
}

function* close(telling: Telling): Generator<Part> {
  const id = String(telling.block);
  if (telling.open === "text") yield { type: "text-end", id };
  if (telling.open === "reasoning") yield { type: "reasoning-end", id, ...detailed(telling.details.splice(0)) };
  telling.open = undefined;
}

type Call = NonNullable<ChatChunk["choices"][number]["delta"]["tool_calls"]>[number];

function* addCall(telling: Telling, { index = 0, id, function: called }: Call): Generator<Part> {
  let call = telling.calls.get(index);
  if (!call) {
    yield* close(telling);
    call = { id: id ?? `call_${index}`, name: called.name ?? "", input: "" };
    telling.calls.set(index, call);
    yield { type: "tool-input-start", id: call.id, toolName: call.name };
  }
  if (!called.arguments) return;
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
