import type { ChatChunk, ChunkChoice } from "../../../engine/api/chat.ts";
import type { Usage } from "../../../engine/api/usage.ts";
import { finishReasonOf } from "../../../engine/dialects/finish-reason.ts";
import { eventsOf } from "../../../engine/dialects/openai/native-response.ts";
import { messageOf } from "../../response/errors.ts";
import { toEvent } from "../../response/sse.ts";
import type { AnswerOpening, ChunkWriter } from "../shared/dialect.ts";
import { type PartReader, type PartStep, partReader } from "../shared/parts.ts";
import { finishedResponse, isCutShort, openResponse, type ResponseIdentity, responseId } from "./answer.ts";
import { type Callables, readCallables } from "./callable.ts";
import { type Frame, type ItemWriter, itemWriter } from "./events.ts";
import type { ResponseRequest } from "./schema.ts";

interface ResponsesStreamState {
  readonly parsed: ResponseRequest;
  readonly callables: Callables;
  readonly parts: PartReader;
  readonly frame: Frame;
  identity: ResponseIdentity | undefined;
  items: ItemWriter | undefined;
  finish: string | null;
  usage: Usage | undefined;
  tier: string | undefined;
}

/** Writes the vendor's typed events, `response.created` to `response.completed`. */
export function streamWriter(parsed: ResponseRequest): ChunkWriter {
  let sequence = 0;
  const write: Frame = (type, fields) => toEvent(type, { ...fields, type, sequence_number: sequence++ });
  const native = nativeEvents(write);
  const frame: Frame = (type, fields) => (native.isCurrent() ? "" : write(type, fields));
  const state: ResponsesStreamState = {
    parsed,
    callables: readCallables(parsed),
    parts: partReader(),
    frame,
    identity: undefined,
    items: undefined,
    finish: null,
    usage: undefined,
    tier: undefined,
  };
  return {
    wait(opening) {
      if (state.identity !== undefined) return writeProgress(state, write);
      native.opened();
      return start(state, opening);
    },
    write(chunk) {
      const events = native.read(chunk);
      if (chunk.usage) state.usage = chunk.usage;
      if (chunk.service_tier) state.tier = chunk.service_tier;
      const begun = start(state, chunk);
      const choice = chunk.choices.find(({ index }) => index === 0);
      return begun + (choice === undefined ? "" : writeChoice(state, choice)) + events;
    },
    end: () => writeLast(state) + writeEnd(state),
    fail: (error) => {
      const { upstream, code, param } = error;
      const field = (upstream === undefined ? param : upstream.param) ?? null;
      const failure = { code: upstream?.code ?? code, message: messageOf(error) };
      native.interrupt();
      return frame("error", { ...failure, param: field }) + writeFailed(state, failure);
    },
  };
}

/** The answer so far, marked as failed. */
function writeFailed({ identity, parsed, items, frame }: ResponsesStreamState, error: object): string {
  if (identity === undefined) return "";
  const response = { ...openResponse(identity, parsed), status: "failed", error, output: items?.output() ?? [] };
  return frame("response.failed", { response });
}

function start(state: ResponsesStreamState, { id, created, model }: AnswerOpening): string {
  if (state.identity !== undefined) return "";
  state.identity = { id: responseId(id), created, model };
  state.items = itemWriter(state.identity.id, state.callables, state.frame);
  const response = openResponse(state.identity, state.parsed);
  return state.frame("response.created", { response }) + state.frame("response.in_progress", { response });
}

/** The answer so far. */
function writeProgress({ identity, items, parsed }: ResponsesStreamState, frame: Frame): string {
  if (identity === undefined) return "";
  const response = { ...openResponse(identity, parsed), output: items?.output() ?? [] };
  return frame("response.in_progress", { response });
}

function writeChoice(state: ResponsesStreamState, { delta, finish_reason, log_probs }: ChunkChoice): string {
  if (finish_reason !== null) state.finish = finish_reason;
  if (log_probs) state.items?.addLogProbs(log_probs);
  return writeSteps(state, state.parts.read(delta));
}

/** Closes what is open when the answer ends; the last part of an answer that was cut short is marked incomplete. */
function writeLast(state: ResponsesStreamState): string {
  const steps = state.parts.end();
  const closed = steps.flatMap((step) => (step.kind === "close" ? [step.part] : []));
  if (isCutShort(finishReasonOf(state.finish, false))) state.items?.cutIn(closed.at(-1));
  return writeSteps(state, steps);
}

function writeSteps({ items }: ResponsesStreamState, steps: readonly PartStep[]): string {
  return items === undefined ? "" : steps.map((step) => items.write(step)).join("");
}

function writeEnd({ identity, parsed, items, finish, usage, tier, frame }: ResponsesStreamState): string {
  if (identity === undefined || items === undefined) return "";
  const output = items.output();
  const hasCalls = output.some(({ type }) => type.endsWith("_call"));
  const ending = { finish: finishReasonOf(finish, hasCalls), output, usage };
  const response = finishedResponse({ ...identity, service_tier: tier }, parsed, ending);
  return frame(`response.${response.status}`, { response });
}

/** Passes on the events of a vendor of the same interface, as long as it answers. */
export interface NativeEvents {
  /** True while the vendor's own events are what the caller reads: what is made of the chunks is kept back then. */
  isCurrent(): boolean;
  /** The frames of a chunk's events; a chunk with content and without events is another vendor's, which goes on with the answer. */
  read(chunk: ChatChunk): string;
  /** The answer has begun before the vendor's: its `response.created` is not written again. */
  opened(): void;
  /** The vendor says no more. */
  interrupt(): void;
}

/** The events keep their ids and order; their numbers are those of the stream that the caller reads. */
function nativeEvents(frame: Frame): NativeEvents {
  let isNative = false;
  let isOpen = false;
  return {
    isCurrent: () => isNative,
    read(chunk) {
      const events = eventsOf(chunk);
      if (events !== undefined || chunk.choices.length > 0) isNative = events !== undefined;
      const unwritten = (events ?? []).filter(({ type }) => !isOpen || type !== "response.created");
      return unwritten.map(({ type, ...fields }) => frame(type, fields)).join("");
    },
    opened() {
      isOpen = true;
    },
    interrupt() {
      isNative = false;
    },
  };
}
