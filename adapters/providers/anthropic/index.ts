import type { Provider } from "../../../src/engine/ports/provider.ts";
import { usualBetas } from "../../shared/anthropic/betas.ts";
import { anthropicRules } from "../../shared/anthropic/parameters.ts";
import { overCredentials } from "../../shared/credentials.ts";
import { fitting } from "../../shared/fitting/fitting.ts";
import { type Checks, checkedOptions, keyedChecks, list, positive, text } from "../../shared/options.ts";
import { chatWith, countWith, streamWith } from "./chat.ts";
import { type AnthropicOptions, chatSender, openClient } from "./client.ts";
import { listModels } from "./models.ts";

export type { AnthropicOptions } from "./client.ts";

const checks: Checks<AnthropicOptions> = {
  ...keyedChecks,
  version: text,
  beta: list,
  callerBetas: list,
  maxTokens: positive,
  modelRules: anthropicRules,
};

/** Anthropic's Messages API as a provider: whole and streamed answers, tools, images, files, thinking, caching, web search. */
export function anthropic(options: AnthropicOptions): Provider {
  const settings = checkedOptions(options, checks, { of: "anthropic" });
  const { name = "anthropic", fetch, transport } = settings;
  return overCredentials(settings, { name, fetch, transport }, (apiKey, shared) =>
    signedWith({ ...settings, apiKey, transport: shared }),
  );
}

function signedWith(options: AnthropicOptions): Provider {
  const { name: provider = "anthropic", version = "2023-06-01", maxTokens } = options;
  const client = openClient(options, { provider, version });
  const { beta: own = [], callerBetas: allowed = usualBetas } = options;
  const chats = chatSender(options, { client, provider });
  const of = { client, chats, provider, version, maxTokens, betas: { provider, own, allowed } };
  return fitting(
    {
      name: provider,
      reportsSearches: true,
      chat: (request, call) => chatWith(of, request, call),
      streamChat: (request, call) => streamWith(of, request, call),
      continueChat: (request, call) => streamWith(of, request, call),
      countTokens: (request, call) => countWith(of, request, call),
      listModels: (call) => listModels(client, call, provider),
      close: () => client.close(),
    },
    "claude",
  );
}
