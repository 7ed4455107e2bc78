import type { Provider } from "../../../src/engine/ports/provider.ts";
import { overCredentials } from "../../shared/credentials.ts";
import type { RerankDialect } from "../../shared/openai-compatible/rerank/dialect.ts";
import { rerankWith } from "../../shared/openai-compatible/rerank/rerank.ts";
import { type Checks, checkedOptions, keyedChecks, text } from "../../shared/options.ts";
import { chatsOf } from "./chat.ts";
import { type CohereOptions, chatSender, openClient } from "./client.ts";
import { embedTexts } from "./embeddings.ts";
import { listModels } from "./models.ts";
import { cohereRules } from "./to-wire.ts";

export type { CohereOptions } from "./client.ts";

const checks: Checks<CohereOptions> = {
  ...keyedChecks,
  clientName: text,
  modelRules: cohereRules,
};

/** It has every field of ours, and answers in search units. */
const rerankDialect: RerankDialect = { path: "/v2/rerank" };

/** Cohere's API, version 2, as a provider: whole and streamed answers, tools, images, thinking, citations, embeddings, reranking. */
export function cohere(options: CohereOptions): Provider {
  const settings = checkedOptions(options, checks, { of: "cohere" });
  const { name = "cohere", fetch, transport } = settings;
  return overCredentials(settings, { name, fetch, transport }, (apiKey, shared) =>
    signedWith({ ...settings, apiKey, transport: shared }),
  );
}

function signedWith(options: CohereOptions): Provider {
  const { name: provider = "cohere" } = options;
  const client = openClient(options, provider);
  const chats = chatSender(options, { client, provider });
  const of = { client, chats, provider };
  return {
    ...chatsOf(of),
    embed: (request, call) => embedTexts(request, call, of),
    rerank: (request, call) => rerankWith({ provider, http: client, dialect: rerankDialect }, request, call),
    listModels: (call) => listModels(client, call, provider),
    close: () => client.close(),
  };
}
