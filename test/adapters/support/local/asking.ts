import { local } from "../../../../adapters/providers/local/index.ts";
import type { ChatChunk, ChatRequest, ChatResponse } from "../../../../src/engine/api/chat.ts";
import { type GatewayError, isGatewayError } from "../../../../src/engine/errors.ts";
import type { ProviderCall } from "../../../../src/engine/ports/provider.ts";

export const provider = local();
type Asked = Omit<ChatRequest, "model">;

export function call(overrides: Partial<ProviderCall> = {}): ProviderCall & { readonly warnings: string[] } {
  const timeouts = { connect: 1_000, firstContent: 1_000, gap: 1_000, whole: 1_000 };
  const warnings: string[] = [];
  const signal = new AbortController().signal;
  const warn = (warning: string) => void warnings.push(warning);
  return {
    id: "evt_0-1",
    model: "echo",
    startedAt: 1_767_225_600_000,
    signal,
    timeouts,
    raw: undefined,
    warn,
    warnings,
    ...overrides,
  };
}

export function say(content: string, rest: Partial<ChatRequest> = {}): ChatRequest {
  return { model: "local/echo", messages: [{ role: "user", content }], ...rest };
}

export async function chat(request: Asked, asked = call()): Promise<ChatResponse> {
  return provider.chat!({ model: "local/echo", ...request } as ChatRequest, asked);
}

export async function stream(request: Asked, asked = call()): Promise<ChatChunk[]> {
  const chunks: ChatChunk[] = [];
  for await (const chunk of provider.streamChat!({ model: "local/echo", ...request } as ChatRequest, asked))
    chunks.push(chunk);
  return chunks;
}

export async function answer(request: ChatRequest) {
  const { choices, usage } = await chat(request);
  const { message, finish_reason } = choices[0]!;
  const calls = (message.tool_calls ?? []).map(({ function: called }) => [
    called?.name,
    JSON.parse(called?.arguments ?? ""),
  ]);
  return { text: message.content, calls, finish: finish_reason, usage };
}

export async function failure(promise: Promise<unknown>): Promise<GatewayError> {
  const thrown = await promise.then(
    () => undefined,
    (error: unknown) => error,
  );
  if (!isGatewayError(thrown)) throw new Error(`no GatewayError: ${String(thrown)}`);
  return thrown;
}

export const city = { type: "object", properties: { city: { type: "string" } }, required: ["city"] };
export const tools: ChatRequest["tools"] = [
  { type: "function", function: { name: "get_weather", parameters: city } },
  { type: "function", function: { name: "getTime", parameters: city } },
  { type: "function", function: { name: "reset" } },
];
