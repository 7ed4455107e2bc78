import type { ChatChunk, ChatRequest } from "../../../src/api/chat.ts";
import { GatewayError } from "../../../src/errors.ts";
import type { Provider, ProviderCall } from "../../../src/ports.ts";
import { decodeStream } from "../../shared/chat/decode.ts";
import { overCredentials } from "../../shared/credentials.ts";
import { fromWire } from "./answer.ts";
import { type BedrockOptions, dated, openClients, streamed } from "./client.ts";
import { embedTexts } from "./embeddings.ts";
import { eventDecoder } from "./events.ts";
import { streamFault } from "./faults.ts";
import { listModels } from "./models.ts";
import { rerankTexts } from "./rerank.ts";
import { isClaude, toWire } from "./to-wire.ts";

export type { BedrockOptions } from "./client.ts";
export type { AwsKeySource, AwsKeys } from "./sign.ts";

/**
 * Amazon Bedrock as a provider: Converse whole and streamed, with tools, images, documents, reasoning and caching; vectors of Titan and
 * Cohere; reranking; the models and inference profiles of a region.
 */
export function bedrock(options: BedrockOptions): Provider {
  const { name = "bedrock", keys, apiKey, credentials, fetch, transport } = options;
  if (keys === undefined) {
    return overCredentials({ apiKey, credentials }, { name, fetch, transport }, (key, shared) =>
      signedWith({ ...options, apiKey: key, transport: shared }),
    );
  }
  if (apiKey !== undefined || credentials !== undefined) {
    const message = `\`keys\` of ${name} is given beside \`apiKey\` or \`credentials\`: one of them is enough.`;
    throw new GatewayError("invalid_configuration", message, { param: "keys", provider: name });
  }
  return { ...signedWith(options), credentials: [{ id: "default" }] };
}

function signedWith(options: BedrockOptions): Provider {
  const { name: provider = "bedrock", region, maxTokens } = options;
  const { runtime, control, agents, close } = openClients(options, provider);

  function streamChat(request: ChatRequest, call: ProviderCall): AsyncIterable<ChatChunk> {
    const body = () => toWire(request, { provider, call, maxTokens });
    const open = () => runtime.events(pathOf(call, "converse-stream"), body(), streamed(call, options));
    const fault = (event: readonly [string, unknown]) => streamFault(runtime, event, call);
    return decodeStream(open, eventDecoder({ provider, call, fault }));
  }

  return {
    name: provider,
    async chat(request, call) {
      const body = toWire(request, { provider, call, maxTokens });
      return fromWire(await runtime.post(pathOf(call, "converse"), body, dated(call, options)), { provider, call });
    },
    streamChat,
    continueChat(request, call) {
      if (isClaude(call.model)) return streamChat(request, call);
      throw new GatewayError("unsupported_operation", `${call.model} of ${provider} takes no prefill.`, { provider });
    },
    embed: (request, call) =>
      embedTexts(request, call, {
        provider,
        invoke: (body, own) => runtime.post(pathOf(own, "invoke"), body, dated(own, options)),
      }),
    rerank: (request, call) =>
      rerankTexts(request, call, {
        provider,
        region,
        ask: (body, own) => agents.post("/rerank", body, dated(own, options)),
      }),
    listModels: (call) => listModels(control, dated(call, options), provider),
    close,
  };
}

/** `/model/<model>/<operation>`; names hold colons, those of AWS's resources slashes. */
function pathOf({ model }: ProviderCall, operation: string): string {
  return `/model/${encodeURIComponent(model)}/${operation}`;
}
