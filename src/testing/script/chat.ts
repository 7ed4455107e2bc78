import type { ChatChunk, ChatRequest, ChatResponse } from "../../engine/api/chat.ts";
import type { FunctionToolCall } from "../../engine/api/message.ts";
import { GatewayError } from "../../engine/errors.ts";
import type { ProviderCall } from "../../engine/ports/provider.ts";
import { failureOf, type ScriptTurn } from "./failure.ts";
import type { ScriptedCall, ScriptStep, StepOf } from "./step.ts";
import { wordUsage } from "./usage.ts";
import { forever } from "./waiting.ts";

/** The whole answer of a step; throws where it has none. */
export function answerWhole(turn: ScriptTurn, request: ChatRequest, call: ProviderCall): ChatResponse {
  const { step } = turn;
  if (step.kind !== "answer") throw failureOf(turn);
  const calls = callsOf(step);
  const content = step.text ?? (calls.length > 0 ? null : "");
  const message = { role: "assistant" as const, content, ...(calls.length > 0 ? { tool_calls: calls } : {}) };
  const usage = step.usage ?? usageOf(request, step.text ?? "");
  const { id, model } = call;
  return {
    id,
    object: "chat.completion",
    created: created(call),
    model,
    usage,
    choices: [{ index: 0, finish_reason: finishOf(calls), message }],
  };
}

/** The chunks of a step: its role, a word each, its calls, its finish and its usage, as far as it gets. */
export async function* answerStreamed(
  turn: ScriptTurn,
  request: ChatRequest,
  call: ProviderCall,
): AsyncGenerator<ChatChunk> {
  const { step } = turn;
  if (!isSpoken(step)) throw failureOf(turn);
  const text = step.text ?? "";
  const words = text.match(/\S+\s*/g) ?? [];
  const { id, model } = call;
  const head = { id, object: "chat.completion.chunk", created: created(call), model };
  const chunk = (choices: ChatChunk["choices"]): ChatChunk => ({ ...head, choices });
  const piece = (delta: ChatChunk["choices"][number]["delta"]) => chunk([{ index: 0, finish_reason: null, delta }]);
  yield piece({ role: "assistant" });
  for (const content of step.kind === "answer" ? words : words.slice(0, step.after ?? 0)) yield piece({ content });
  if (step.kind === "silence") await forever(call);
  if (step.kind === "break") throw new GatewayError("upstream_stream_broken", "The stream broke off.");
  if (step.kind !== "answer") return;
  const calls = callsOf(step);
  for (const [index, call] of calls.entries()) yield piece({ tool_calls: [{ ...call, index }] });
  yield chunk([{ index: 0, finish_reason: finishOf(calls), delta: {} }]);
  yield { ...chunk([]), usage: step.usage ?? usageOf(request, text) };
}

type SpokenStep = StepOf<"answer" | "break" | "truncate" | "silence">;

/** Whether a stream of it has a first chunk. */
export function isSpoken(step: ScriptStep): step is SpokenStep {
  return ["answer", "break", "truncate", "silence"].includes(step.kind);
}

function callsOf({ calls = [] }: { readonly calls?: readonly ScriptedCall[] | undefined }): FunctionToolCall[] {
  return calls.map(({ name, arguments: provided = {}, id }, at) => {
    const text = typeof provided === "string" ? provided : JSON.stringify(provided);
    return { id: id ?? `call_${at}`, type: "function", function: { name, arguments: text } };
  });
}

function finishOf(calls: readonly unknown[]): "tool_calls" | "stop" {
  return calls.length > 0 ? "tool_calls" : "stop";
}

function usageOf({ messages }: ChatRequest, text: string) {
  return wordUsage(
    messages.map(({ content }) => (typeof content === "string" ? content : "part")),
    text,
  );
}

function created(call: ProviderCall): number {
  return Math.floor(call.startedAt / 1000);
}
