import type { ChatRequest } from "../../../src/engine/api/chat.ts";
import type { ProviderCall } from "../../../src/engine/ports/provider.ts";
import { usualBetas, withBetas } from "../../shared/anthropic/betas.ts";
import { eventDecoder } from "../../shared/anthropic/events.ts";
import { streamFault } from "../../shared/anthropic/faults.ts";
import { fromWire } from "../../shared/anthropic/from-wire.ts";
import { toWire } from "../../shared/anthropic/to-wire.ts";
import { readCount } from "../../shared/chat/count.ts";
import { decodeStream } from "../../shared/chat/decode.ts";
import type { Translation } from "../../shared/chat/fields.ts";
import type { PublisherApi, PublisherContext } from "./publisher-api.ts";

/** In place of the header and the model's name, which stands in the address. */
const anthropicVersion = { anthropic_version: "vertex-2023-10-16" };

/** The version of the Messages API that this cloud speaks. */
const version = "2023-06-01";

/** Anthropic's models: the Messages API under other addresses. */
export function claudePublisherApi({ provider, client, maxTokens, chats }: PublisherContext): PublisherApi {
  const { http, pathOf } = client;
  const writing = (request: ChatRequest, isStream: boolean) => (to: Translation) => {
    const { model: _inTheAddress, ...body } = toWire(request, { ...to, maxTokens, version, isStream });
    return { ...anthropicVersion, ...body };
  };
  const allow = (request: ChatRequest, call: ProviderCall) =>
    withBetas(request, call, { provider, own: [], allowed: usualBetas });
  const stream = (request: ChatRequest, call: ProviderCall) => {
    const path = pathOf("anthropic", call.model, "streamRawPredict");
    const fault = (body: unknown) => streamFault(http, body, call);
    return decodeStream(
      { provider, call },
      () => chats.events({ path, call, sent: allow(request, call), write: writing(request, true) }),
      eventDecoder({ provider, call, fault }),
    );
  };
  return {
    async chat(request, call) {
      const path = pathOf("anthropic", call.model, "rawPredict");
      const chat = { path, call, sent: allow(request, call), write: writing(request, false) };
      return fromWire(await chats.whole(chat), { provider, call });
    },
    streamChat: stream,
    continueChat: stream,
    async countTokens(request, call) {
      const { model, system, messages, thinking, tools, tool_choice } = toWire(request, {
        ...{ provider, call, maxTokens, version },
        isStream: false,
      });
      const body = { ...anthropicVersion, model, system, messages, thinking, tools, tool_choice };
      const path = pathOf("anthropic", "count-tokens", "rawPredict");
      return readCount(await http.post(path, body, allow(request, call)), "input_tokens", provider);
    },
  };
}
