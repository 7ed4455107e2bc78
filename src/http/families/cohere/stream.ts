import type { ChatChunk } from "../../../api/chat.ts";
import type { Annotation } from "../../../api/message.ts";
import type { Usage } from "../../../api/usage.ts";
import { messageOf } from "../../errors.ts";
import { toEvent } from "../../sse.ts";
import type { ChunkWriter } from "../shared/family.ts";
import { finishOf } from "../shared/finish.ts";
import { type Part, type PartReader, type PartStep, partReader } from "../shared/parts.ts";
import { finishReasons, signatureOf, writeUsage } from "./answer.ts";
import { writeCitations } from "./citations.ts";

interface Told {
  readonly parts: PartReader;
  hasStarted: boolean;
  /** Pieces of content and calls so far; each kind is counted by itself. */
  contents: number;
  calls: number;
  citations: number;
  text: string;
  /** Log probabilities that no text was told with yet. */
  readonly logprobs: number[];
  finish: string | null;
  usage: Usage | undefined;
}

/** Writes the vendor's events, `message-start` to `message-end`, and `[DONE]` behind a complete answer. */
export function streamWriter(): ChunkWriter {
  const told: Told = {
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
      if (chunk.usage) told.usage = chunk.usage;
      const choice = chunk.choices.find(({ index }) => index === 0);
      if (choice !== undefined && choice.finish_reason !== null) told.finish = choice.finish_reason;
      for (const { logprob } of choice?.log_probs?.content ?? []) told.logprobs.push(logprob);
      return start(told, chunk) + writeSteps(told, choice === undefined ? [] : told.parts.read(choice.delta));
    },
    end: () => `${writeSteps(told, told.parts.end())}${writeEnd(told)}data: [DONE]\n\n`,
    fail: (error) => event("message-end", { delta: { finish_reason: "ERROR", error: messageOf(error) } }),
  };
}

function event(type: string, fields: object): string {
  return toEvent(type, { type, ...fields });
}

function start(told: Told, { id }: ChatChunk): string {
  if (told.hasStarted) return "";
  told.hasStarted = true;
  const message = { role: "assistant", content: [], tool_plan: "", tool_calls: [], citations: [] };
  return event("message-start", { id, delta: { message } });
}

function writeSteps(told: Told, steps: readonly PartStep[]): string {
  return steps.map((step) => writeStep(told, step)).join("");
}

function writeStep(told: Told, step: PartStep): string {
  switch (step.kind) {
    case "open":
      return openPart(told, step.part);
    case "grow":
      return growPart(told, step.part, step.delta);
    case "close":
      return closePart(told, step.part);
    case "cite":
      return cite(told, step.annotations);
  }
}

function openPart(told: Told, { kind, id, name }: Part): string {
  if (kind === "call") {
    const call = { id, type: "function", function: { name, arguments: "" } };
    return event("tool-call-start", { index: told.calls++, delta: { message: { tool_calls: call } } });
  }
  const content = kind === "thought" ? { type: "thinking", thinking: "" } : { type: "text", text: "" };
  return event("content-start", { index: told.contents++, delta: { message: { content } } });
}

function growPart(told: Told, { kind }: Part, text: string): string {
  if (kind === "call") {
    const call = { function: { arguments: text } };
    return event("tool-call-delta", { index: told.calls - 1, delta: { message: { tool_calls: call } } });
  }
  if (kind === "thought") return contentDelta(told, { thinking: text });
  if (kind === "refusal") return contentDelta(told, { text });
  told.text += text;
  const logprobs = told.logprobs.splice(0);
  return contentDelta(told, { text }, logprobs.length === 0 ? {} : { logprobs: { text, token_ids: [], logprobs } });
}

function contentDelta(told: Told, content: object, beside: object = {}): string {
  return event("content-delta", { index: told.contents - 1, delta: { message: { content } }, ...beside });
}

function closePart(told: Told, { kind, detail }: Part): string {
  if (kind === "call") return event("tool-call-end", { index: told.calls - 1 });
  const signature = kind === "thought" ? signatureOf(detail) : undefined;
  const signed = signature === undefined ? "" : contentDelta(told, { thinking: "", signature });
  return signed + event("content-end", { index: told.contents - 1 });
}

function cite(told: Told, annotations: readonly Annotation[]): string {
  return writeCitations(annotations, told.text)
    .map((citations) => {
      const index = told.citations++;
      return event("citation-start", { index, delta: { message: { citations } } }) + event("citation-end", { index });
    })
    .join("");
}

function writeEnd({ finish, calls, usage }: Told): string {
  const reason = finishReasons[finishOf(finish, calls > 0)];
  const counted = usage === undefined ? {} : { usage: writeUsage(usage) };
  return event("message-end", { delta: { finish_reason: reason, ...counted } });
}
