import type { ChatChunk } from "../../../engine/api/chat.ts";
import type { Annotation } from "../../../engine/api/message.ts";
import type { Usage } from "../../../engine/api/usage.ts";
import { writeCitations } from "../../../engine/dialects/cohere/citations.ts";
import type { CohereEventName } from "../../../engine/dialects/cohere/events.ts";
import { writeFinishReason } from "../../../engine/dialects/cohere/finish-reasons.ts";
import { writeUsage } from "../../../engine/dialects/cohere/usage.ts";
import { finishReasonOf } from "../../../engine/dialects/finish-reason.ts";
import { messageOf } from "../../response/errors.ts";
import { toEvent } from "../../response/sse.ts";
import type { ChunkWriter } from "../shared/dialect.ts";
import { type Part, type PartReader, type PartStep, partReader } from "../shared/parts.ts";
import { signatureOf } from "./answer.ts";

interface CohereStreamState {
  readonly parts: PartReader;
  hasStarted: boolean;
  /** Pieces of content and calls so far; each kind is counted by itself. */
  contents: number;
  calls: number;
  citations: number;
  text: string;
  /** Log probabilities that wait for the next text. */
  readonly logprobs: number[];
  finish: string | null;
  usage: Usage | undefined;
}

/** Writes the vendor's events, `message-start` to `message-end`, and `[DONE]` behind a complete answer. */
export function streamWriter(): ChunkWriter {
  const state: CohereStreamState = {
    parts: partReader(),
    hasStarted: false,
    contents: 0,
    calls: 0,
    citations: 0,
    text: "",
    logprobs: [],
    finish: null,
    usage: undefined,
  };
  return {
    write(chunk) {
      if (chunk.usage) state.usage = chunk.usage;
      const choice = chunk.choices.find(({ index }) => index === 0);
      if (choice !== undefined && choice.finish_reason !== null) state.finish = choice.finish_reason;
      for (const { logprob } of choice?.log_probs?.content ?? []) state.logprobs.push(logprob);
      return start(state, chunk) + writeSteps(state, choice === undefined ? [] : state.parts.read(choice.delta));
    },
    end: () => `${writeSteps(state, state.parts.end())}${writeEnd(state)}data: [DONE]\n\n`,
    fail: (error) => event("message-end", { delta: { finish_reason: "ERROR", error: messageOf(error) } }),
  };
}

function event(type: CohereEventName, fields: object): string {
  return toEvent(type, { type, ...fields });
}

function start(state: CohereStreamState, { id }: ChatChunk): string {
  if (state.hasStarted) return "";
  state.hasStarted = true;
  const message = { role: "assistant", content: [], tool_plan: "", tool_calls: [], citations: [] };
  return event("message-start", { id, delta: { message } });
}

function writeSteps(state: CohereStreamState, steps: readonly PartStep[]): string {
  return steps.map((step) => writeStep(state, step)).join("");
}

function writeStep(state: CohereStreamState, step: PartStep): string {
  switch (step.kind) {
    case "open":
      return openPart(state, step.part);
    case "grow":
      return growPart(state, step.part, step.delta);
    case "close":
      return closePart(state, step.part);
    case "cite":
      return cite(state, step.annotations);
  }
}

function openPart(state: CohereStreamState, { kind, id, name }: Part): string {
  if (kind === "call") {
    const call = { id, type: "function", function: { name, arguments: "" } };
    return event("tool-call-start", { index: state.calls++, delta: { message: { tool_calls: call } } });
  }
  const content = kind === "thought" ? { type: "thinking", thinking: "" } : { type: "text", text: "" };
  return event("content-start", { index: state.contents++, delta: { message: { content } } });
}

function growPart(state: CohereStreamState, { kind }: Part, text: string): string {
  if (kind === "call") {
    const call = { function: { arguments: text } };
    return event("tool-call-delta", { index: state.calls - 1, delta: { message: { tool_calls: call } } });
  }
  if (kind === "thought") return contentDelta(state, { thinking: text });
  if (kind === "refusal") return contentDelta(state, { text });
  state.text += text;
  const logprobs = state.logprobs.splice(0);
  return contentDelta(state, { text }, logprobs.length === 0 ? {} : { logprobs: { text, token_ids: [], logprobs } });
}

function contentDelta(state: CohereStreamState, content: object, extra: object = {}): string {
  return event("content-delta", { index: state.contents - 1, delta: { message: { content } }, ...extra });
}

function closePart(state: CohereStreamState, { kind, detail }: Part): string {
  if (kind === "call") return event("tool-call-end", { index: state.calls - 1 });
  const signature = kind === "thought" ? signatureOf(detail) : undefined;
  const signed = signature === undefined ? "" : contentDelta(state, { thinking: "", signature });
  return signed + event("content-end", { index: state.contents - 1 });
}

function cite(state: CohereStreamState, annotations: readonly Annotation[]): string {
  return writeCitations(annotations, state.text)
    .map((citations) => {
      const index = state.citations++;
      return event("citation-start", { index, delta: { message: { citations } } }) + event("citation-end", { index });
    })
    .join("");
}

function writeEnd({ finish, calls, usage }: CohereStreamState): string {
  const reason = writeFinishReason(finishReasonOf(finish, calls > 0));
  const counted = usage === undefined ? {} : { usage: writeUsage(usage) };
  return event("message-end", { delta: { finish_reason: reason, ...counted } });
}
