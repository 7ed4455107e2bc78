import { type AnthropicWireOptions, toWire } from "../../../../adapters/shared/anthropic/to-wire.ts";
import type { ChatRequest } from "../../../../src/engine/api/chat.ts";
import { recordedCall } from "../../../fixtures/native.ts";

const hi = [{ role: "user", content: "Hi" }];

/** What is sent for these parameters, as JSON, without the model; and what the caller is warned of. */
export function writeParameters(
  parameters: object,
  model = "claude-sonnet-4-6",
  options: Partial<AnthropicWireOptions> = {},
) {
  const call = recordedCall(model);
  const request = { model: `anthropic/${model}`, messages: hi, ...parameters } as ChatRequest;
  const settled = { provider: "anthropic", call, maxTokens: undefined, version: "2023-06-01", isStream: false };
  const body = JSON.stringify(toWire(request, { ...settled, ...options }));
  const { model: _model, messages, ...wire } = JSON.parse(body);
  return { body, wire, turns: messages, warnings: call.warnings };
}

/** The system prompt and the turns of a conversation, as JSON. */
export function writeMessages(messages: readonly object[], model = "claude-sonnet-4-6") {
  const { wire, ...written } = writeParameters({ messages }, model);
  return { system: wire.system, ...written };
}
