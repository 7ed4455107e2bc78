import { systemClock } from "../../../adapters/system.ts";
import type { ChatChunk, ChatRequest, ChatResponse } from "../../../src/engine/api/chat.ts";
import type { CallOptions, CoreEngine } from "../../../src/engine/engine.ts";
import { GatewayError } from "../../../src/engine/errors.ts";

/** One call that reached the engine. */
export interface AskedCall {
  readonly verb: string;
  readonly request: unknown;
  readonly options: CallOptions & { readonly key?: string | undefined };
}

/** An engine whose verbs are given by the test; those that are not given refuse. It writes down what it was asked. */
export function engineDouble(answers: Partial<CoreEngine> = {}): CoreEngine & { readonly asked: AskedCall[] } {
  const asked: AskedCall[] = [];
  const verb = (name: keyof CoreEngine) => async (request: unknown, options: CallOptions) => {
    asked.push({ verb: name, request, options });
    const answer = answers[name] as ((request: unknown, options: CallOptions) => unknown) | undefined;
    if (!answer) throw new GatewayError("unsupported_operation", `Nobody does ${name} here.`);
    return answer(request, options);
  };
  const stored =
    (name: string) =>
    async (request: unknown, ...rest: unknown[]) => {
      asked.push({ verb: name, request, options: rest.at(-1) as CallOptions });
      throw new GatewayError("unsupported_operation", `Nobody keeps responses to ${name} here.`);
    };
  let events = 0;
  const double = {
    asked,
    newEventId: () => `evt_${++events}`,
    inFlight: 0,
    inFlightByKey: () => new Map(),
    isLeaving: false,
    readiness: answers.readiness ?? (async () => ({ status: "ready", in_flight: 0, checks: {} })),
    keyPrefix: answers.keyPrefix ?? "sk-tg-",
    hasKeys: answers.hasKeys ?? false,
    clock: answers.clock ?? systemClock,
    admit: answers.admit ?? (() => undefined),
    mcp: { hasServers: false, isSearched: false, tokenHeaders: [], onToolsChanged: () => () => {} },
    storedResponses: Object.fromEntries(
      ["retrieve", "delete", "cancel", "inputItems"].map((name) => [name, stored(name)]),
    ),
    ...Object.fromEntries(
      ["chat", "streamChat", "runTools", "streamTools", "embed", "rerank", "decide", "countTokens", "models"].map(
        (n) => [n, verb(n as "chat")],
      ),
    ),
  };
  return double as unknown as CoreEngine & { readonly asked: AskedCall[] };
}

/** A whole answer that repeats the last message. */
export async function echo(request: ChatRequest): Promise<ChatResponse> {
  const content = String(request.messages.at(-1)?.content ?? "");
  return {
    id: "chatcmpl-1",
    object: "chat.completion",
    created: 1_763_600_000,
    model: request.model,
    choices: [
      { index: 0, finish_reason: "stop", logprobs: null, message: { role: "assistant", content, refusal: null } },
    ],
    usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
    extra_fields: { request_type: "chat_completion", provider: "double", latency: 3 },
  };
}

/** A chunk with this text. */
export function chunkOf(text: string, index = 0, finish: string | null = null): ChatChunk {
  return {
    id: "chatcmpl-1",
    object: "chat.completion.chunk",
    created: 1_763_600_000,
    model: "double/m",
    choices: [{ index: 0, finish_reason: finish, delta: { content: text } }],
    extra_fields: { request_type: "chat_completion_stream", provider: "double", chunk_index: index },
  };
}

/** The smallest chat request. */
export const hello = { model: "double/m", messages: [{ role: "user", content: "hello" }] };
