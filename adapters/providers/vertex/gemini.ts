import type { ChatRequest } from "../../../src/api/chat.ts";
import type { ProviderCall } from "../../../src/ports/provider.ts";
import { readCount } from "../../shared/chat/count.ts";
import { decodeStream } from "../../shared/chat/decode.ts";
import { eventDecoder } from "../../shared/gemini/events.ts";
import { readGeminiFault } from "../../shared/gemini/faults.ts";
import { fromWire } from "../../shared/gemini/from-wire.ts";
import { toWire } from "../../shared/gemini/to-wire.ts";
import type { VertexClient } from "./client.ts";

/** Google's own models: the Gemini API under other addresses. Files are named by `gs://` or by address, since it keeps none. */
export function geminiPublisherApi({ provider, client }: { readonly provider: string; readonly client: VertexClient }) {
  const { http, pathOf } = client;
  const wireOf = (request: ChatRequest, call: ProviderCall, isStream = false) => {
    const { serviceTier, ...body } = toWire(request, { provider, call, filesUrl: "gs://", isStream });
    if (serviceTier !== undefined && serviceTier !== "standard") {
      call.warn(`\`service_tier\` ${serviceTier} is not supported by ${provider}`);
    }
    return body;
  };
  return {
    async chat(request: ChatRequest, call: ProviderCall) {
      const path = pathOf("google", call.model, "generateContent");
      return fromWire(await http.post(path, wireOf(request, call), call), { provider, call });
    },
    streamChat(request: ChatRequest, call: ProviderCall) {
      const path = pathOf("google", call.model, "streamGenerateContent?alt=sse");
      const fault = (body: unknown) => http.faultError(readGeminiFault(body) ?? {}, call);
      return decodeStream(
        { provider, call },
        () => http.events(path, wireOf(request, call, true), call),
        eventDecoder({ provider, call, fault }),
      );
    },
    async countTokens(request: ChatRequest, call: ProviderCall) {
      const { contents, systemInstruction, tools } = wireOf(request, call);
      const path = pathOf("google", call.model, "countTokens");
      return readCount(await http.post(path, { contents, systemInstruction, tools }, call), "totalTokens", provider);
    },
  };
}
