import type { ChatRequest } from "../../../src/engine/api/chat.ts";
import type { ProviderCall } from "../../../src/engine/ports/provider.ts";
import { readCount } from "../../shared/chat/count.ts";
import { decodeStream } from "../../shared/chat/decode.ts";
import { type Translation, tierWord } from "../../shared/chat/fields.ts";
import { eventDecoder } from "../../shared/gemini/events.ts";
import { readGeminiFault } from "../../shared/gemini/faults.ts";
import { fromWire } from "../../shared/gemini/from-wire.ts";
import { toWire } from "../../shared/gemini/to-wire.ts";
import type { PublisherContext } from "./publisher-api.ts";

/** Google's own models: the Gemini API under other addresses. Files are named by `gs://` or by address, since it keeps none. */
export function geminiPublisherApi({ provider, client, chats }: Omit<PublisherContext, "maxTokens">) {
  const { http, pathOf } = client;
  const writing = (request: ChatRequest, isStream: boolean) => (to: Translation) => {
    const { serviceTier, ...body } = toWire(request, { ...to, filesUrl: "gs://", isStream });
    if (tierWord(to, request.service_tier) !== undefined) return { ...body, serviceTier };
    if (serviceTier !== undefined && serviceTier !== "standard") {
      to.call.warn(`\`service_tier\` ${serviceTier} is not supported by ${provider}`);
    }
    return body;
  };
  return {
    async chat(request: ChatRequest, call: ProviderCall) {
      const path = pathOf("google", call.model, "generateContent");
      return fromWire(await chats.whole({ path, call, write: writing(request, false) }), { provider, call });
    },
    streamChat(request: ChatRequest, call: ProviderCall) {
      const path = pathOf("google", call.model, "streamGenerateContent?alt=sse");
      const fault = (body: unknown) => http.faultError(readGeminiFault(body) ?? {}, call);
      return decodeStream(
        { provider, call },
        () => chats.events({ path, call, write: writing(request, true) }),
        eventDecoder({ provider, call, fault }),
      );
    },
    async countTokens(request: ChatRequest, call: ProviderCall) {
      const { contents, systemInstruction, tools } = toWire(request, { provider, call, filesUrl: "gs://" });
      const path = pathOf("google", call.model, "countTokens");
      return readCount(await http.post(path, { contents, systemInstruction, tools }, call), "totalTokens", provider);
    },
  };
}
