import type { ChatRequest, ChatResponse } from "../api/chat.ts";
import type { Usage } from "../api/usage.ts";
import { boundText } from "../usage/estimate.ts";
import type { Call } from "./call.ts";

/** Bytes of a token on average, where no tokenizer is at hand. */
const bytesPerToken = 4;

/** Usage of a chat as we count it, for the ledger alone: the caller is never told invented numbers. */
export function estimateChat(call: Call, model: string, text: string): Usage | undefined {
  const request = call.asked?.request;
  return request && "messages" in request ? countChat(call, request as ChatRequest, { model, text }) : undefined;
}

/** What was generated, and by which model. */
interface Generated {
  readonly model: string;
  readonly text: string;
}

/** Usage of one chat as we count it. */
export function countChat(call: Call, request: Pick<ChatRequest, "messages" | "tools">, generated: Generated): Usage {
  const { model, text } = generated;
  const { tokens } = call.ports.books;
  const prompt_tokens = tokens?.countChat(request, model) ?? guess(JSON.stringify(request.messages));
  const completion_tokens = tokens?.countText(text, model) ?? guess(text);
  return { prompt_tokens, completion_tokens, total_tokens: prompt_tokens + completion_tokens };
}

/** The estimate of a whole answer that came without usage; `undefined` when it is no chat answer. */
export function estimateWhole(call: Call, model: string, answer: object): Usage | undefined {
  return "choices" in answer ? estimateChat(call, model, generatedText(answer as ChatResponse)) : undefined;
}

/** All that a whole chat answer says, for counting. */
export function generatedText({ choices }: Pick<ChatResponse, "choices">): string {
  const text = choices.map(
    ({ message }) => `${message.reasoning ?? ""}${textOf(message.content)}${callsOf(message.tool_calls)}`,
  );
  return text.join("\n");
}

function textOf(content: unknown): string {
  return typeof content === "string" ? content : "";
}

function callsOf(calls: unknown): string {
  return calls === undefined ? "" : JSON.stringify(calls);
}

function guess(text: string): number {
  return Math.ceil(boundText(text) / bytesPerToken);
}
