import { GatewayError } from "../../../src/engine/errors.ts";
import type { Provider, ProviderCall } from "../../../src/engine/ports/provider.ts";
import { anything, type Checks, checkedOptions, positive, text, wireChecks } from "../../shared/options.ts";
import { openClient, type VertexOptions } from "./client.ts";
import { embedTexts } from "./embeddings.ts";
import type { PublisherApi } from "./publisher-api.ts";
import { publisherApisOf, vertexRules } from "./publisher-apis.ts";

export type { VertexOptions } from "./client.ts";
export type { AccessTokenSource } from "./token.ts";

const checks: Checks<VertexOptions> = {
  ...wireChecks,
  project: anything,
  location: anything,
  accessToken: anything,
  baseUrl: text,
  maxTokens: positive,
  modelRules: vertexRules,
};

/**
 * Google's Vertex AI as a provider: its own models and Anthropic's (names that begin with `claude`), each as it is at home, whole and
 * streamed; counting tokens; vectors.
 */
export function vertex(options: VertexOptions): Provider {
  const settings = checkedOptions(options, checks, { of: "vertex" });
  const { name: provider = "vertex", maxTokens } = settings;
  const client = openClient(settings, provider);
  const answers = publisherApisOf({ provider, client, maxTokens, modelRules: settings.modelRules });
  const answerOfTurn = ({ model }: ProviderCall): PublisherApi =>
    isClaude(model) ? answers.anthropic : answers.google;
  return {
    name: provider,
    credentials: [{ id: "default" }],
    reportsSearches: true,
    billing: { region: settings.location },
    chat: (request, call) => answerOfTurn(call).chat(request, call),
    streamChat: (request, call) => answerOfTurn(call).streamChat(request, call),
    continueChat(request, call) {
      const { continueChat } = answerOfTurn(call);
      if (continueChat) return continueChat(request, call);
      throw new GatewayError("unsupported_operation", `${call.model} of ${provider} takes no prefill.`, { provider });
    },
    countTokens: (request, call) => answerOfTurn(call).countTokens(request, call),
    embed: (request, call) =>
      embedTexts(request, call, {
        provider,
        predict: (body, own) => client.http.post(client.pathOf("google", own.model, "predict"), body, own),
      }),
    close: client.close,
  };
}

function isClaude(model: string): boolean {
  return model.startsWith("claude");
}
