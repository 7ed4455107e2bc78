import { setTimeout as sleep } from "node:timers/promises";
import type { ChatChunk, ChatRequest, ChatResponse } from "../../../src/api/chat.ts";
import type { ProviderCall } from "../../../src/ports/provider.ts";
import { abortError } from "../../shared/http/failure.ts";
import { answerStreamed, answerWhole } from "./answer.ts";
import { checkCall } from "./models.ts";
import { replyTo } from "./reply.ts";

/** The echo as a whole answer. */
export function echo(request: ChatRequest, call: ProviderCall, provider: string): ChatResponse {
  checkCall("chat", provider, call);
  return answerWhole(replyTo(request, { provider, call }), call);
}

/** The echo as a stream, with so many milliseconds between its words. */
export async function* echoSlowly(
  request: ChatRequest,
  call: ProviderCall,
  { provider, pauseMs }: { readonly provider: string; readonly pauseMs: number },
): AsyncGenerator<ChatChunk> {
  checkCall("chat", provider, call);
  for (const chunk of answerStreamed(replyTo(request, { provider, call }), call)) {
    if (call.signal.aborted) throw abortError(call.signal);
    yield chunk;
    if (pauseMs > 0) await pause(pauseMs, call.signal);
  }
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  try {
    await sleep(ms, undefined, { signal });
  } catch {
    throw abortError(signal); // the only way for a sleep to fail
  }
}
