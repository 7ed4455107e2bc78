import type { Provider } from "../../src/engine/ports/provider.ts";
import type { RulesOptions } from "../shared/chat/rules-option.ts";
import { type KeyOptions, overCredentials } from "../shared/credentials.ts";
import { withOpenaiDecisions } from "../shared/decisions/of-vendor.ts";
import { httpClient } from "../shared/http/client.ts";
import { requireKey } from "../shared/http/target.ts";
import type { WireOptions } from "../shared/http/wire-options.ts";
import type { CompatibilityProfile } from "../shared/openai-compatible/compatibility-profile.ts";
import { dialectProvider } from "../shared/openai-compatible/provider.ts";
import { type ChatInterface, interfaceCheck } from "../shared/openai-responses/interface-choice.ts";
import { overBothInterfaces } from "../shared/openai-responses/upstream.ts";
import { type Checks, checkedOptions, keyedChecks, openaiRules, text } from "../shared/options.ts";

export type { Transport } from "../../src/engine/ports/transport.ts";
export type { ModelRules } from "../shared/chat/model-rules.ts";
export type { ModelRulesOption, RulesOptions } from "../shared/chat/rules-option.ts";
export type { ApiCredential, KeyOptions } from "../shared/credentials.ts";
export type { WireOptions } from "../shared/http/wire-options.ts";
export type { ChatInterface } from "../shared/openai-responses/interface-choice.ts";

/** Options of `openai()`; only `apiKey`, or `credentials` in its place, is required. */
export interface OpenaiOptions extends KeyOptions, WireOptions, RulesOptions {
  /** Of a proxy, or of another region; `https://api.openai.com/v1` unless given. */
  readonly baseUrl?: string | undefined;
  /** Sent as `OpenAI-Organization`. */
  readonly organization?: string | undefined;
  /** Sent as `OpenAI-Project`. */
  readonly project?: string | undefined;
  /** The interface that chats go to, for all models or by model; `auto`, the one that the model and the request need, unless given. */
  readonly upstream?: ChatInterface | undefined;
}

/**
 * platform.openai.com, API reference, "Chat": `truncation` belongs to the Responses interface only; reasoning is neither shown nor taken
 * back by chat; prompts are cached without marks. Unknown fields are refused, `top_k` and `input_type` of other vendors' clients too.
 */
const dialect: CompatibilityProfile = {
  unsupported: ["truncation", "top_k"],
  hasTextTools: true,
  takesCustomTools: true,
  form: "openai",
  embeddings: { unsupported: ["input_type"], limits: { inputs: 2048, tokens: 300_000 } },
  streamOptions: "all",
  reasoning: "effort",
  history: "dropped",
};

const checks: Checks<OpenaiOptions> = {
  ...keyedChecks,
  organization: text,
  project: text,
  upstream: interfaceCheck,
  modelRules: openaiRules,
};

/** OpenAI: chat, streams, embeddings, decisions and the list of models. */
export function openai(options: OpenaiOptions): Provider {
  const settings = checkedOptions(options, checks, { of: "openai" });
  const { organization, project, headers, fetch, transport, name = "openai" } = settings;
  return overCredentials(settings, { name, fetch, transport }, (apiKey, shared) => {
    const http = httpClient({
      readsEither: true,
      provider: name,
      baseUrl: settings.baseUrl ?? "https://api.openai.com/v1",
      headers: {
        authorization: `Bearer ${requireKey(apiKey, name)}`,
        ...(organization === undefined ? {} : { "openai-organization": organization }),
        ...(project === undefined ? {} : { "openai-project": project }),
        ...headers,
      },
      callerHeaders: settings.callerHeaders ?? ["openai-beta"],
      fetch,
      transport: shared,
    });
    const region = regionOf(settings.baseUrl);
    const billing = region === undefined ? undefined : { region };
    const { upstream, modelRules } = settings;
    const row = { name, http, dialect, embeds: true, models: "/models", billing, modelRules };
    const chats = overBothInterfaces(dialectProvider(row), { name, http, upstream, modelRules });
    return withOpenaiDecisions(chats, http);
  });
}

/** The region of a regional address: `https://eu.api.openai.com/v1` processes in the EU. */
function regionOf(baseUrl: string | undefined): string | undefined {
  return /^https:\/\/([a-z]{2})\.api\.openai\.com(?:\/|$)/.exec(baseUrl ?? "")?.[1];
}
