import type { Provider } from "../../../src/engine/ports/provider.ts";
import { overCredentials } from "../../shared/credentials.ts";
import { anything, type Checks, checkedOptions, keyedChecks, positive } from "../../shared/options.ts";
import { chatsOf } from "./chat.ts";
import { type BedrockOptions, chatSender, dated, keyConflict, openClients, pathOf } from "./client.ts";
import { embedTexts } from "./embeddings.ts";
import { listModels } from "./models.ts";
import { converseRules } from "./parameters.ts";
import { rerankTexts } from "./rerank.ts";

export type { BedrockOptions } from "./client.ts";
export type { AwsKeySource, AwsKeys } from "./sign.ts";

const checks: Checks<BedrockOptions> = {
  ...keyedChecks,
  region: anything,
  keys: anything,
  maxTokens: positive,
  modelRules: converseRules,
};

/**
 * Amazon Bedrock as a provider: Converse whole and streamed, with tools, images, documents, reasoning and caching; vectors of Titan and
 * Cohere; reranking; the models and inference profiles of a region.
 */
export function bedrock(options: BedrockOptions): Provider {
  const settings = checkedOptions(options, checks, { of: "bedrock" });
  const { name = "bedrock", keys, apiKey, credentials, fetch, transport } = settings;
  if (keys === undefined) {
    return overCredentials({ apiKey, credentials }, { name, fetch, transport }, (key, shared) =>
      signedWith({ ...settings, apiKey: key, transport: shared }),
    );
  }
  if (apiKey !== undefined || credentials !== undefined) throw keyConflict(name);
  return { ...signedWith(settings), credentials: [{ id: "default" }] };
}

function signedWith(options: BedrockOptions): Provider {
  const { name: provider = "bedrock", region } = options;
  const { runtime, control, agents, close } = openClients(options, provider);
  const chats = chatSender(options, { client: runtime, provider });
  const of = { provider, runtime, chats, options };
  return {
    billing: { region },
    ...chatsOf(of),
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
