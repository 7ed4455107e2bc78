import type { Provider } from "../../../src/ports/provider.ts";
import { overCredentials } from "../../shared/credentials.ts";
import type { RerankDialect } from "../../shared/openai-compatible/rerank/dialect.ts";
import { rerankWith } from "../../shared/openai-compatible/rerank/rerank.ts";
import { type Checks, checkedOptions, keyedChecks, text } from "../../shared/options.ts";
import { chatWith, streamWith } from "./chat.ts";
import { type CohereOptions, openClient } from "./client.ts";
import { embedTexts } from "./embeddings.ts";
import { listModels } from "./models.ts";

export type { CohereOptions } from "./client.ts";

const checks: Checks<CohereOptions> = { ...keyedChecks, clientName: text };

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
  const of = { client, provider };
  return {
    name: provider,
    chat: (request, call) => chatWith(of, request, call),
    streamChat: (request, call) => streamWith(of, request, call),
    embed: (request, call) => embedTexts(request, call, of),
    rerank: (request, call) => rerankWith({ provider, http: client, dialect: rerankDialect }, request, call),
    listModels: (call) => listModels(client, call, provider),
    close: () => client.close(),
  };
}
