import { setTimeout as sleep } from "node:timers/promises";
import type { ChatChunk, ChatRequest, ChatResponse } from "../../../src/engine/api/chat.ts";
import type { ProviderCall } from "../../../src/engine/ports/provider.ts";
import { abortError } from "../../shared/http/failure.ts";
import { answerStreamed, answerWhole } from "./answer.ts";
import { checkCall } from "./models.ts";
import { replyTo } from "./reply.ts";

/** Who echoes. */
interface EchoSource {
  readonly provider: string;
  /** Models that echo, next to `echo`. */
  readonly echoes: readonly string[];
}

/** The echo as a whole answer. */
export function echo(request: ChatRequest, call: ProviderCall, source: EchoSource): ChatResponse {
  const { provider } = source;
  checkEcho(source, call);
  return answerWhole(replyTo(request, { provider, call }), call);
}

/** The echo as a stream, with so many milliseconds between its words. */
export async function* echoSlowly(
  request: ChatRequest,
  call: ProviderCall,
  { pauseMs, ...source }: EchoSource & { readonly pauseMs: number },
): AsyncGenerator<ChatChunk> {
  const { provider } = source;
  checkEcho(source, call);
  for (const chunk of answerStreamed(replyTo(request, { provider, call }), call)) {
    if (call.signal.aborted) throw abortError(call.signal);
    yield chunk;
    if (pauseMs > 0) await pause(pauseMs, call.signal);
  }
}

function checkEcho({ provider, echoes }: EchoSource, call: ProviderCall): void {
  checkCall("chat", provider, echoes.includes(call.model) ? { ...call, model: "echo" } : call);
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  try {
    await sleep(ms, undefined, { signal });
  } catch {
    throw abortError(signal); // the only way for a sleep to fail
  }
}
