import { GatewayError } from "../../../src/engine/errors.ts";
import type { Provider } from "../../../src/engine/ports/provider.ts";
import type { RulesOptions } from "../../shared/chat/rules-option.ts";
import { type KeyOptions, overCredentials } from "../../shared/credentials.ts";
import { makeTransport, requireKey } from "../../shared/http/target.ts";
import type { WireOptions } from "../../shared/http/wire-options.ts";
import type { CompatibilityProfile } from "../../shared/openai-compatible/compatibility-profile.ts";
import { dialectProvider } from "../../shared/openai-compatible/provider.ts";
import { type Checks, checkedOptions, keyedChecks, openaiRules, text } from "../../shared/options.ts";
import { watsonxClient } from "./client.ts";
import type { WatsonxScope } from "./wire.ts";

export type { Transport } from "../../../src/engine/ports/transport.ts";
export type { ModelRules } from "../../shared/chat/model-rules.ts";
export type { ModelRulesOption, RulesOptions } from "../../shared/chat/rules-option.ts";
export type { ApiCredential, KeyOptions } from "../../shared/credentials.ts";
export type { WireOptions } from "../../shared/http/wire-options.ts";

/** Options of `watsonx()`: an API key of IBM Cloud, and the project or the deployment space that pays. */
export interface WatsonxOptions extends KeyOptions, WireOptions, RulesOptions {
  readonly projectId?: string | undefined;
  /** In place of `projectId`. */
  readonly spaceId?: string | undefined;
  /** Of the region; `https://us-south.ml.cloud.ibm.com` unless given. */
  readonly baseUrl?: string | undefined;
  /** Where keys are exchanged for tokens; `https://iam.cloud.ibm.com/identity/token` unless given. */
  readonly iamUrl?: string | undefined;
}

/**
 * cloud.ibm.com/apidocs/watsonx-ai, "Text chat" and "Text embeddings", read in November 2026. Whole and streamed answers have an address
 * each; usage comes with the last event of a stream unasked.
 */
const dialect: CompatibilityProfile = {
  unsupported: [
    ...["metadata", "modalities", "parallel_tool_calls", "prediction", "prompt_cache_key", "prompt_cache_retention"],
    ...["safety_identifier", "service_tier", "store", "top_k", "truncation", "user", "verbosity", "web_search_options"],
  ],
  unsupportedInMessages: ["annotations", "audio"],
  renamed: { max_completion_tokens: "max_tokens" },
  hasTextTools: true,
  lacksDeveloperRole: true,
  streamOptions: "none",
  reasoning: "effort",
  efforts: { minimal: "low", xhigh: "high" },
  history: "dropped",
  embeddings: {
    unsupported: ["dimensions", "input_type", "user"],
    lacksBase64: true,
    lacksTokens: true,
    limits: { inputs: 1_000 },
  },
};

const checks: Checks<WatsonxOptions> = {
  ...keyedChecks,
  projectId: text,
  spaceId: text,
  iamUrl: text,
  modelRules: openaiRules,
};

/** IBM watsonx.ai: chat, streams, embeddings and the list of models. */
export function watsonx(options: WatsonxOptions): Provider {
  const settings = checkedOptions(options, checks, { of: "watsonx" });
  const { headers, callerHeaders, fetch, name = "watsonx" } = settings;
  const scope = scopeOf(settings, name);
  const own = settings.transport ? undefined : makeTransport({ fetch });
  const transport = settings.transport ?? (own as NonNullable<typeof own>);
  const provider = overCredentials(settings, { name, transport }, (apiKey) => {
    const http = watsonxClient({
      provider: name,
      apiKey: requireKey(apiKey, name),
      baseUrl: settings.baseUrl ?? "https://us-south.ml.cloud.ibm.com",
      iamUrl: settings.iamUrl ?? "https://iam.cloud.ibm.com/identity/token",
      scope,
      headers,
      callerHeaders,
      transport,
    });
    return dialectProvider({
      ...{ name, http, dialect, modelRules: settings.modelRules },
      embeds: true,
      models: "/foundation_model_specs?limit=200",
    });
  });
  return { ...provider, close: async () => own?.close() };
}

function scopeOf({ projectId, spaceId }: WatsonxOptions, provider: string): WatsonxScope {
  if (projectId !== undefined && spaceId === undefined) return { project_id: projectId };
  if (projectId === undefined && spaceId !== undefined) return { space_id: spaceId };
  const message = `${provider} needs a \`projectId\` or a \`spaceId\`, one of them.`;
  throw new GatewayError("invalid_configuration", message, { param: "projectId", provider });
}
