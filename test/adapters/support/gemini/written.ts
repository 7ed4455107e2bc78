import { toWire } from "../../../../adapters/shared/gemini/to-wire.ts";
import type { ChatRequest } from "../../../../src/engine/api/chat.ts";
import { recordedCall } from "../../../fixtures/native.ts";

const hi = [{ role: "user", content: "Hi" }];

/** What is sent for these parameters, as JSON; and what the caller is warned of. */
export function writeParameters(parameters: object, model = "gemini-3.8-flash", isStream = false) {
  const call = recordedCall(model);
  const request = { model: `gemini/${model}`, messages: hi, ...parameters } as ChatRequest;
  const options = { provider: "gemini", call, filesUrl: "https://g.example/v1beta/", isStream };
  const body = JSON.stringify(toWire(request, options));
  const { contents, ...wire } = JSON.parse(body);
  return { body, wire, contents, warnings: call.warnings };
}

/** The system instruction and the contents of a conversation, as JSON. */
export function writeMessages(messages: readonly object[], model = "gemini-3.8-flash") {
  const { wire, ...written } = writeParameters({ messages }, model);
  return { system: wire.systemInstruction, ...written };
}
