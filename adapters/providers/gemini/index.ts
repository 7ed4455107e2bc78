import type { EmbeddingRequest, EmbeddingResponse } from "../../../src/engine/api/embeddings.ts";
import type { Provider, ProviderCall } from "../../../src/engine/ports/provider.ts";
import { overCredentials } from "../../shared/credentials.ts";
import { fitting } from "../../shared/fitting/fitting.ts";
import { geminiRules } from "../../shared/gemini/parameters.ts";
import { type Checks, checkedOptions, keyedChecks } from "../../shared/options.ts";
import { chatWith, countWith, pathOf, streamWith } from "./chat.ts";
import { chatSender, type GeminiOptions, openClient } from "./client.ts";
import { type EmbedQuestion, embedTexts } from "./embeddings.ts";
import { listModels } from "./models.ts";

export type { GeminiOptions } from "./client.ts";

const checks: Checks<GeminiOptions> = { ...keyedChecks, modelRules: geminiRules };

/** Google's Gemini API as a provider: whole and streamed answers, functions, media, thinking, search, embeddings. */
export function gemini(options: GeminiOptions): Provider {
  const settings = checkedOptions(options, checks, { of: "gemini" });
  const { name = "gemini", fetch, transport } = settings;
  return overCredentials(settings, { name, fetch, transport }, (apiKey, shared) =>
    signedWith({ ...settings, apiKey, transport: shared }),
  );
}

function signedWith(options: GeminiOptions): Provider {
  const { name: provider = "gemini" } = options;
  const opened = openClient(options, provider);
  const { client } = opened;
  const chats = chatSender(options, { client, provider });
  const of = { provider, chats, ...opened };

  function embed(request: EmbeddingRequest, call: ProviderCall): Promise<EmbeddingResponse> {
    const ask = ({ method, body }: EmbedQuestion, own: ProviderCall) => client.post(pathOf(own, method), body, own);
    return embedTexts(request, call, { provider, ask });
  }

  return fitting(
    {
      name: provider,
      reportsSearches: true,
      chat: (request, call) => chatWith(of, request, call),
      streamChat: (request, call) => streamWith(of, request, call),
      countTokens: (request, call) => countWith(of, request, call),
      embed,
      listModels: (call) => listModels(client, call, provider),
      close: () => client.close(),
    },
    "gemini",
  );
}
