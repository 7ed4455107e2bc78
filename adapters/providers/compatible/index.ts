import { GatewayError } from "../../../src/engine/errors.ts";
import type { Provider } from "../../../src/engine/ports/provider.ts";
import { decisionsOf } from "../../shared/decisions/interfaces.ts";
import type { CompatibilityProfile } from "../../shared/openai-compatible/compatibility-profile.ts";
import { interfaceCheck } from "../../shared/openai-responses/interface-choice.ts";
import { type Checks, checkedOptions, flag, keyedChecks, object, openaiRules, text } from "../../shared/options.ts";
import { type CompatibleOptions, fromRow } from "./from-row.ts";
import { billingOf, type CompatibleRow } from "./row.ts";
import { type CompatibleName, compatibleProviders } from "./rows.ts";

export type { CompatibilityProfile } from "../../shared/openai-compatible/compatibility-profile.ts";
export type { ChatInterface } from "../../shared/openai-responses/interface-choice.ts";
export type { CompatibleOptions } from "./from-row.ts";
export type { CompatibleRow } from "./row.ts";
export { type CompatibleName, compatibleProviders } from "./rows.ts";

/** Options of a vendor that knows its callers by a key: `apiKey` or `credentials` must be given. */
export type HostedOptions = CompatibleOptions;

const rowChecks: Checks<CompatibleOptions> = { ...keyedChecks, upstream: interfaceCheck, modelRules: openaiRules };

/** The provider of a row, by its name; throws `invalid_configuration` naming `apiKey` or `baseUrl` when one lacks. */
export function compatible(row: CompatibleName, options: CompatibleOptions): Provider {
  if (!Object.hasOwn(compatibleProviders, row)) {
    const message = `There is no row \`${row}\`; there are ${Object.keys(compatibleProviders).join(", ")}.`;
    throw new GatewayError("invalid_configuration", message, { param: "row" });
  }
  const settings = checkedOptions(options, rowChecks, { of: row });
  const ofRow = { billing: billingOf(row), decisions: decisionsOf(row) };
  return fromRow(compatibleProviders[row], { ...settings, name: settings.name ?? row, ...ofRow });
}

/** console.groq.com. */
export const groq = (options: HostedOptions): Provider => compatible("groq", options);
/** mistral.ai. */
export const mistral = (options: HostedOptions): Provider => compatible("mistral", options);
/** deepseek.com. */
export const deepseek = (options: HostedOptions): Provider => compatible("deepseek", options);
/** x.ai: the Grok models. */
export const xai = (options: HostedOptions): Provider => compatible("xai", options);
/** openrouter.ai. */
export const openrouter = (options: HostedOptions): Provider => compatible("openrouter", options);
/** together.ai. */
export const together = (options: HostedOptions): Provider => compatible("together", options);
/** fireworks.ai. */
export const fireworks = (options: HostedOptions): Provider => compatible("fireworks", options);
/** perplexity.ai: models that search the web. */
export const perplexity = (options: HostedOptions): Provider => compatible("perplexity", options);
/** cerebras.ai. */
export const cerebras = (options: HostedOptions): Provider => compatible("cerebras", options);
/** build.nvidia.com: NIM. */
export const nvidia = (options: HostedOptions): Provider => compatible("nvidia", options);
/** deepinfra.com. */
export const deepinfra = (options: HostedOptions): Provider => compatible("deepinfra", options);
/** moonshot.ai: Kimi. */
export const moonshot = (options: HostedOptions): Provider => compatible("moonshot", options);
/** z.ai: the GLM models. */
export const zai = (options: HostedOptions): Provider => compatible("zai", options);
/** Alibaba Cloud: the Qwen models. */
export const dashscope = (options: HostedOptions): Provider => compatible("dashscope", options);
/** Volcano Engine Ark: Doubao. */
export const volcengine = (options: HostedOptions): Provider => compatible("volcengine", options);
/** minimax.io. */
export const minimax = (options: HostedOptions): Provider => compatible("minimax", options);
/** siliconflow.com. */
export const siliconflow = (options: HostedOptions): Provider => compatible("siliconflow", options);
/** sambanova.ai. */
export const sambanova = (options: HostedOptions): Provider => compatible("sambanova", options);
/** tokenfactory.nebius.com. */
export const nebius = (options: HostedOptions): Provider => compatible("nebius", options);
/** novita.ai. */
export const novita = (options: HostedOptions): Provider => compatible("novita", options);
/** baseten.co. */
export const baseten = (options: HostedOptions): Provider => compatible("baseten", options);
/** scaleway.com: Generative APIs. */
export const scaleway = (options: HostedOptions): Provider => compatible("scaleway", options);
/** ovhcloud.com: AI Endpoints. */
export const ovhcloud = (options: HostedOptions): Provider => compatible("ovhcloud", options);
/** huggingface.co: Inference Providers. */
export const huggingface = (options: HostedOptions): Provider => compatible("huggingface", options);
/** github.com: GitHub Models. */
export const github = (options: HostedOptions): Provider => compatible("github", options);
/** vercel.com: AI Gateway. */
export const vercel = (options: HostedOptions): Provider => compatible("vercel", options);
/** Workers AI, at the `baseUrl` of an account. */
export const cloudflare = (options: HostedOptions): Provider => compatible("cloudflare", options);
/** Model Serving, at the `baseUrl` of a workspace. */
export const databricks = (options: HostedOptions): Provider => compatible("databricks", options);
/** Snowflake Cortex, at the `baseUrl` of an account. */
export const snowflake = (options: HostedOptions): Provider => compatible("snowflake", options);
/** A LiteLLM proxy at its `baseUrl`. */
export const litellm = (options: HostedOptions): Provider => compatible("litellm", options);
/** Ollama, on this machine unless `baseUrl` says otherwise. */
export const ollama = (options: CompatibleOptions = {}): Provider => compatible("ollama", options);
/** A vLLM server. */
export const vllm = (options: CompatibleOptions = {}): Provider => compatible("vllm", options);
/** An SGLang server. */
export const sglang = (options: CompatibleOptions = {}): Provider => compatible("sglang", options);
/** LM Studio. */
export const lmstudio = (options: CompatibleOptions = {}): Provider => compatible("lmstudio", options);
/** llama.cpp's server. */
export const llamacpp = (options: CompatibleOptions = {}): Provider => compatible("llamacpp", options);

/** voyageai.com: embeddings and reranking. */
export const voyage = (options: HostedOptions): Provider => compatible("voyage", options);
/** jina.ai: embeddings and reranking. */
export const jina = (options: HostedOptions): Provider => compatible("jina", options);
/** Hugging Face's Text Embeddings Inference: the one model, embedding or reranking, that the server runs. */
export const tei = (options: CompatibleOptions = {}): Provider => compatible("tei", options);

/** Azure OpenAI by the name of its resource, or by the whole `baseUrl`, which ends in `/openai/v1`. */
export interface AzureOptions extends HostedOptions {
  readonly resource?: string | undefined;
}

/** Azure OpenAI over its v1 interface; models are the names of deployments. */
export function azure(options: AzureOptions): Provider {
  const { resource, ...rest } = checkedOptions<AzureOptions>(
    options,
    { ...rowChecks, resource: text },
    { of: "azure" },
  );
  if (rest.baseUrl !== undefined || resource === undefined) return compatible("azure", rest);
  if (!/^[a-z0-9][a-z0-9-]*$/i.test(resource)) {
    throw new GatewayError("invalid_configuration", "`resource` of azure is no name of a resource.", {
      param: "resource",
    });
  }
  return compatible("azure", { ...rest, baseUrl: `https://${resource}.openai.azure.com/openai/v1` });
}

/** A server of OpenAI's dialect that has no row. */
export interface CustomOptions extends Omit<CompatibleOptions, "name"> {
  readonly baseUrl: string;
  /** Whether it has `POST /embeddings`; it has unless given. */
  readonly embeds?: boolean | undefined;
  /** Whether it has `POST /rerank`; it has unless given. */
  readonly reranks?: boolean | undefined;
  /** Path of its list of models, or the models themselves; `/models` unless given. */
  readonly models?: string | readonly string[] | undefined;
  /** How it deviates; not at all, unless given. */
  readonly dialect?: Partial<CompatibilityProfile> | undefined;
}

const customChecks: Checks<CustomOptions> = {
  ...rowChecks,
  embeds: flag,
  reranks: flag,
  models: [(models) => typeof models === "string" || Array.isArray(models), "a path or a list of names"],
  dialect: object,
};

const plainDialect: CompatibilityProfile = {
  streamOptions: "usage",
  reasoning: "effort",
  history: "reasoning_content",
};
const plainRerank: Pick<CompatibilityProfile, "rerank"> = { rerank: { path: "/rerank" } };

/** Any server of OpenAI's dialect, under a name of one's own. */
export function custom(name: string, options: CustomOptions): Provider {
  const settings = checkedOptions(options, customChecks, { of: String(name) });
  if (typeof name !== "string" || !/^[a-z0-9][a-z0-9._-]*$/.test(name)) {
    const message = "`name` of a provider is lower-case letters, digits, dots, dashes and underscores.";
    throw new GatewayError("invalid_configuration", message, { param: "name" });
  }
  const row: CompatibleRow = {
    title: name,
    docs: "given in the options",
    needsKey: false,
    embeds: settings.embeds ?? true,
    models: settings.models ?? "/models",
    dialect: { ...plainDialect, ...(settings.reranks === false ? {} : plainRerank), ...settings.dialect },
  };
  return fromRow(row, { ...settings, name });
}
