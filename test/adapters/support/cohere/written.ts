import { toWire } from "../../../../adapters/providers/cohere/to-wire.ts";
import type { ChatRequest } from "../../../../src/engine/api/chat.ts";
import { recordedCall } from "../../../fixtures/native.ts";

const hi = [{ role: "user", content: "Hi" }];

/** What is sent for these parameters, as JSON, without the model; and what the caller is warned of. */
export function writeParameters(parameters: object) {
  const call = recordedCall("command-a-03-2025");
  const request = { model: "cohere/command-a-03-2025", messages: hi, ...parameters } as ChatRequest;
  const body = JSON.stringify(toWire(request, { provider: "cohere", call, isStream: false }));
  const { model: _model, messages, ...wire } = JSON.parse(body);
  return { body, wire, turns: messages, warnings: call.warnings };
}

/** The turns of a conversation, as JSON. */
export function writeMessages(messages: readonly object[]) {
  const { turns, warnings } = writeParameters({ messages });
  return { turns, warnings };
}
