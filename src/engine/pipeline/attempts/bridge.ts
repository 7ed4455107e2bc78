import type { ChatChunk, ChatRequest, ChatResponse } from "../../api/chat.ts";
import { toChunks } from "../../caching/replay.ts";
import { GatewayError } from "../../errors.ts";
import { mergeChunks } from "../../metering/merge-chunks.ts";
import type { Provider, ProviderCall } from "../../ports/provider.ts";
import type { Target } from "../../routing/plan.ts";
import { checkForm, checkSource } from "./answer-form.ts";

/** What a provider gets, and whom it is of. */
export interface BridgedCall extends ProviderCall {
  readonly target: Target;
}

/** Asks for a whole answer by the method that the provider has: one that only streams is read to its end. */
export async function askWhole(provider: Provider, request: ChatRequest, call: BridgedCall): Promise<ChatResponse> {
  if (provider.chat) return checkForm("answer", await provider.chat(request, call), call);
  return collect(askChunks(provider, request, call), call);
}

/** Asks for a stream by the method that the provider has: one that has only whole answers gives its answer at once. */
export function askChunks(provider: Provider, request: ChatRequest, call: BridgedCall): AsyncIterable<ChatChunk> {
  if (provider.streamChat) return checkSource(provider.streamChat(request, call), call);
  return chunksOf(provider, request, call);
}

async function* chunksOf(
  provider: Provider,
  { stream: _stream, stream_options: _options, ...request }: ChatRequest,
  call: BridgedCall,
): AsyncIterable<ChatChunk> {
  yield* toChunks(await askWhole(provider, request, call));
}

/** The answer that chunks amount to. Half an answer is `upstream_stream_broken`. */
async function collect(source: AsyncIterable<ChatChunk>, call: BridgedCall): Promise<ChatResponse> {
  const chunks: ChatChunk[] = [];
  for await (const chunk of source) {
    chunks.push(checkForm("chunk", chunk, call));
    call.begun?.();
  }
  const answer = mergeChunks(chunks);
  const isComplete = answer.choices.length > 0 && answer.choices.every(({ finish_reason: end }) => end !== null);
  if (isComplete) return answer;
  throw new GatewayError("upstream_stream_broken", `The stream of ${call.target.name} ended before it was complete.`);
}
