import type { ChatChunk, ChunkChoice } from "../../../api/chat.ts";
import { GatewayError, toGatewayError } from "../../../errors.ts";
import { mergeChunks } from "../../../metering/merge-chunks.ts";
import type { RunParts } from "./run-parts.ts";
import { nextTurn, openRun, type RunState, summaryOf } from "./run-state.ts";
import { resumeCalls, takeAnswer } from "./take-answer.ts";
import type { ToolRunOptions, ToolRunRequest } from "./tool-run.ts";
import { totalUsage } from "./totals.ts";

/** Runs a chat with its tools as one stream; resolves with its first content. */
export async function streamTools(
  parts: RunParts,
  request: ToolRunRequest,
  options: ToolRunOptions,
): Promise<AsyncIterable<ChatChunk>> {
  const state = await openRun(parts, request, options);
  const chunks = chunksOf(state);
  const first = await chunks.next();
  return resume(first, chunks);
}

async function* chunksOf(state: RunState): AsyncGenerator<ChatChunk, undefined> {
  const { deadline } = state;
  const writer = turnWriter(state);
  let isWhole = false;
  try {
    await resumeCalls(state);
    while (!state.ended) yield* streamTurn(state, writer);
    isWhole = true;
  } catch (thrown) {
    isWhole = true;
    throw toGatewayError(deadline.signal.aborted ? deadline.signal.reason : thrown);
  } finally {
    if (!isWhole) deadline.abort(new GatewayError("request_cancelled", "The caller left the stream."));
    deadline.close();
  }
}

/** One answer of the model as it comes, and its calls. */
async function* streamTurn(state: RunState, writer: TurnWriter): AsyncGenerator<ChatChunk, undefined> {
  const { request, options } = nextTurn(state);
  const asked = { ...request, stream_options: { ...request.stream_options, include_usage: true } };
  const stream = await state.parts.requests.streamChat(asked, options);
  const chunks: ChatChunk[] = [];
  for await (const chunk of stream) {
    chunks.push(chunk);
    const shown = writer.pass(chunk);
    if (shown) yield shown;
  }
  await takeAnswer(state, mergeChunks(chunks));
  if (state.ended) yield* writer.finish(chunks);
}

type TurnWriter = ReturnType<typeof turnWriter>;

/** Writes the chunks of all turns as those of one answer. */
function turnWriter(state: RunState) {
  let opening: Pick<ChatChunk, "id" | "created" | "model"> | undefined;
  let written = 0;
  let lastTurn = 0;
  const write = (chunk: ChatChunk): ChatChunk => {
    opening ??= { id: chunk.id, created: chunk.created, model: chunk.model };
    const extra = chunk.extra_fields && { extra_fields: { ...chunk.extra_fields, chunk_index: written++ } };
    return { ...chunk, ...opening, ...extra };
  };
  return {
    /** What of a chunk is shown at once: texts. Calls and sealed thoughts are those of the last turn, which is not known before its end. */
    pass(chunk: ChatChunk): ChatChunk | undefined {
      const { usage: _usage, ...rest } = chunk;
      const isFirst = opening === undefined;
      const choices = chunk.choices.flatMap((choice) => shownOf(choice, isFirst));
      if (choices.length === 0) return undefined;
      const isNewText = lastTurn < state.answers && choices.some(({ delta }) => delta.content);
      const shown = isNewText && state.turns.some(({ text }) => text) ? choices.map(separated) : choices;
      if (isNewText) lastTurn = state.answers;
      return write({ ...rest, choices: shown });
    },
    /** What was held back of the last turn, its end, and the sums of the run. */
    *finish(chunks: readonly ChatChunk[]): Generator<ChatChunk> {
      const areLeft = state.turns.at(-1)?.calls.some(({ outcome }) => outcome === "left") === true;
      const isCut = !areLeft && state.ended !== "completed";
      const held = chunks.flatMap((chunk) => {
        const { usage: _usage, ...rest } = chunk;
        const choices = chunk.choices.flatMap((choice) => heldOf(choice, isCut));
        return choices.length === 0 ? [] : [{ ...rest, choices }];
      });
      for (const chunk of held) yield write(chunk);
      const { choices: _choices, ...last } = chunks.at(-1) as ChatChunk;
      const { tools: _tools, ...summary } = summaryOf(state);
      const { include_usage: isWanted } = (state.fields.stream_options ?? {}) as { include_usage?: boolean };
      const usage = isWanted === true ? totalUsage(state.usages) : undefined;
      const extra_fields = { request_type: "chat_completion_stream" as const, ...last.extra_fields, tool_run: summary };
      const { usage: _usage, ...plain } = last;
      yield write({ ...plain, choices: [], ...(usage ? { usage } : {}), extra_fields });
    },
  };
}

/** Of a choice what is passed on at once. */
function shownOf(choice: ChunkChoice, isFirst: boolean): ChunkChoice[] {
  const { tool_calls: _calls, reasoning_details: _details, role, ...delta } = choice.delta;
  const { finish_reason: _reason, stop_sequence: _sequence, native_finish_reason: _native, ...rest } = choice;
  const shown = isFirst && role !== undefined ? { role, ...delta } : delta;
  const isEmpty = Object.values(shown).every((value) => value === undefined || value === null || value === "");
  return isEmpty ? [] : [{ ...rest, finish_reason: null, delta: shown }];
}

/** Of a choice what was not. Calls that were made before a bound ended the run are not made. */
function heldOf({ finish_reason: reason, ...choice }: ChunkChoice, isCut: boolean): ChunkChoice[] {
  const { reasoning_details, tool_calls: calls } = choice.delta;
  const tool_calls = isCut ? undefined : calls;
  if (!tool_calls && !reasoning_details && reason === null) return [];
  const delta = { ...(tool_calls ? { tool_calls } : {}), ...(reasoning_details ? { reasoning_details } : {}) };
  const { log_probs: _shown, ...rest } = choice;
  return [{ ...rest, finish_reason: isCut && reason !== null ? "length" : reason, delta }];
}

/** The text of a later turn stands in a paragraph of its own. */
function separated(choice: ChunkChoice): ChunkChoice {
  const { content } = choice.delta;
  return content ? { ...choice, delta: { ...choice.delta, content: `\n\n${content}` } } : choice;
}

/** An iteration whose first step has been taken; to stop reading ends the run, also before the next one. */
function resume(first: IteratorResult<ChatChunk, undefined>, rest: AsyncGenerator<ChatChunk, undefined>) {
  let held: IteratorResult<ChatChunk, undefined> | undefined = first;
  const iterator: AsyncIterator<ChatChunk, undefined> = {
    next() {
      const step = held;
      held = undefined;
      return step ? Promise.resolve(step) : rest.next();
    },
    return: () => rest.return(undefined),
  };
  return { [Symbol.asyncIterator]: () => iterator };
}
