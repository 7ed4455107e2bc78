import { type CompatibleRow, maxTokens, mistralEmbeddings, openaiOnlyBut } from "./row.ts";

/** Hosted vendors. Deviations are those of the page named in `docs`, read in November 2026. */
export const hostedRows = {
  groq: {
    title: "Groq",
    docs: "console.groq.com/docs/openai, OpenAI Compatibility",
    baseUrl: "https://api.groq.com/openai/v1",
    env: "GROQ_API_KEY",
    needsKey: true,
    callerHeaders: ["groq-model-version"], // which version of its compound systems
    embeds: false,
    models: "/models",
    dialect: {
      // Any of these is a 400, and so is a name in a message. Streams tell usage in `x_groq`, too.
      unsupported: ["logprobs", "top_logprobs", "logit_bias", "n", ...openaiOnlyBut()],
      unsupportedInMessages: ["name", "annotations", "refusal", "audio"],
      streamOptions: "usage",
      reasoning: "effort",
      efforts: { minimal: "low", xhigh: "high" },
      history: "reasoning",
    },
  },
  mistral: {
    title: "Mistral AI",
    docs: "docs.mistral.ai/api, Chat Completion",
    baseUrl: "https://api.mistral.ai/v1",
    env: "MISTRAL_API_KEY",
    needsKey: true,
    embeds: true,
    models: "/models",
    dialect: {
      // Extra fields are a 422, `stream_options` included: usage always comes with the last chunk.
      unsupported: [
        ...["logprobs", "top_logprobs", "logit_bias", "service_tier", "user"],
        ...openaiOnlyBut("metadata", "prediction"),
      ],
      unsupportedInMessages: ["name", "annotations", "refusal", "audio"],
      renamed: { ...maxTokens, seed: "random_seed" },
      hasShortCallIds: true, // an identifier of another vendor is a 400 of code 3280
      hasStrictOrder: true, // anything else is a 400 of code 3230
      lacksDeveloperRole: true,
      streamOptions: "none",
      // Reasoning is on or off; it comes and goes as `thinking` parts of the content.
      reasoning: "effort",
      efforts: { minimal: "high", low: "high", medium: "high", xhigh: "high" },
      history: "thinking",
      prefill: { repeats: true },
      embeddings: mistralEmbeddings,
    },
  },
  deepseek: {
    title: "DeepSeek",
    docs: "api-docs.deepseek.com, Create Chat Completion and Thinking Mode",
    baseUrl: "https://api.deepseek.com",
    env: "DEEPSEEK_API_KEY",
    needsKey: true,
    embeds: false,
    models: "/models",
    dialect: {
      unsupported: ["seed", "logit_bias", "parallel_tool_calls", "service_tier", "user", "n", ...openaiOnlyBut()],
      renamed: maxTokens,
      lacksDeveloperRole: true,
      streamOptions: "usage",
      // Thinking has a switch of its own, and low, high and max efforts. Tool use asks for the earlier `reasoning_content`.
      reasoning: "thinking",
      efforts: { minimal: "low", medium: "high", xhigh: "high" },
      history: "reasoning_content",
      prefill: { path: "/beta/chat/completions" },
    },
  },
  xai: {
    title: "xAI",
    docs: "docs.x.ai, REST API reference and Reasoning",
    baseUrl: "https://api.x.ai/v1",
    env: "XAI_API_KEY",
    needsKey: true,
    responses: "auto",
    stored: { actions: ["retrieve", "delete"], background: false },
    embeds: false,
    models: "/models",
    dialect: {
      // Reasoning tokens are counted beside the completion; reading the usage sees to that.
      unsupported: ["logit_bias", ...openaiOnlyBut("web_search_options")],
      // Reasoning models answer these with an error.
      unsupportedBy: {
        models: /^(?!grok-2|grok-3(?!-mini)|.*non-reasoning)/,
        fields: ["presence_penalty", "frequency_penalty", "stop"],
      },
      streamOptions: "usage",
      reasoning: "effort",
      efforts: { minimal: "low", xhigh: "high" },
      history: "reasoning_content",
    },
  },
  openrouter: {
    title: "OpenRouter",
    docs: "openrouter.ai/docs, API Parameters, Reasoning Tokens, Prompt Caching",
    baseUrl: "https://openrouter.ai/api/v1",
    env: "OPENROUTER_API_KEY",
    needsKey: true,
    responses: "forced",
    stored: { actions: [], background: false }, // its interface keeps nothing
    embeds: true,
    models: "/models",
    dialect: {
      unsupported: ["store", "truncation", "prompt_cache_retention", "safety_identifier"],
      streamOptions: "none", // usage always comes, and the field is deprecated
      // Has our own form of reasoning, wants its details back unchanged, and hands cache marks on.
      reasoning: "object",
      history: "kept",
      keepsCacheControl: true,
      rerank: { path: "/rerank", lacks: ["max_tokens_per_doc", "priority"] },
    },
  },
  together: {
    title: "Together AI",
    docs: "docs.together.ai, Create Chat Completion",
    baseUrl: "https://api.together.xyz/v1",
    env: "TOGETHER_API_KEY",
    needsKey: true,
    embeds: true,
    models: "/models", // a bare list
    dialect: {
      unsupported: ["user", "service_tier", "parallel_tool_calls", ...openaiOnlyBut()],
      renamed: maxTokens,
      lacksDeveloperRole: true,
      streamOptions: "usage",
      countsLogprobs: true,
      reasoning: "switch",
      efforts: { minimal: "low", xhigh: "high" },
      history: "reasoning",
      embeddings: { unsupported: ["dimensions"], lacksBase64: true, lacksTokens: true },
      rerank: { path: "/rerank", lacks: ["max_tokens_per_doc", "priority"] },
    },
  },
  fireworks: {
    title: "Fireworks AI",
    docs: "docs.fireworks.ai, Create Chat Completion",
    baseUrl: "https://api.fireworks.ai/inference/v1",
    env: "FIREWORKS_API_KEY",
    needsKey: true,
    embeds: true,
    models: "/models",
    dialect: {
      unsupported: openaiOnlyBut("metadata", "prediction"),
      renamed: maxTokens,
      lacksDeveloperRole: true,
      streamOptions: "usage",
      reasoning: "effort",
      efforts: { minimal: "low", xhigh: "high" },
      history: "reasoning_content",
      rerank: { path: "/rerank", lacks: ["max_tokens_per_doc", "priority"] },
    },
  },
  perplexity: {
    title: "Perplexity",
    docs: "docs.perplexity.ai, Sonar API, Chat Completions",
    baseUrl: "https://api.perplexity.ai",
    env: "PERPLEXITY_API_KEY",
    needsKey: true,
    embeds: false,
    models: ["sonar", "sonar-pro", "sonar-reasoning-pro", "sonar-deep-research"],
    dialect: {
      // Searches by itself and calls no tools of the caller. Usage is on every chunk. The vendor steers towards its Agent API.
      unsupported: [
        ...["tools", "tool_choice", "parallel_tool_calls", "logprobs", "top_logprobs", "logit_bias"],
        ...["seed", "n", "service_tier", "user", ...openaiOnlyBut("web_search_options")],
      ],
      renamed: maxTokens,
      hasFlatLocation: true,
      lacksDeveloperRole: true,
      streamOptions: "none",
      reasoning: "effort",
      efforts: { none: "minimal", xhigh: "high" },
      history: "dropped",
    },
  },
  cerebras: {
    title: "Cerebras",
    docs: "inference-docs.cerebras.ai, OpenAI Compatibility",
    baseUrl: "https://api.cerebras.ai/v1",
    env: "CEREBRAS_API_KEY",
    needsKey: true,
    embeds: false,
    models: "/models",
    dialect: {
      // The first three are a 400.
      unsupported: ["frequency_penalty", "presence_penalty", "logit_bias", "n", ...openaiOnlyBut("prediction")],
      unsupportedInMessages: ["annotations", "refusal", "audio"],
      lacksDeveloperRole: true, // its system messages stand where those of developers do
      streamOptions: "usage",
      reasoning: "effort",
      efforts: { minimal: "low", xhigh: "high" },
      history: "reasoning",
    },
  },
  nvidia: {
    title: "NVIDIA NIM",
    docs: "docs.api.nvidia.com, NIM LLM APIs and Retrieval APIs",
    baseUrl: "https://integrate.api.nvidia.com/v1",
    env: "NVIDIA_API_KEY",
    needsKey: true,
    embeds: true,
    models: "/models",
    dialect: {
      unsupported: ["user", "service_tier", "parallel_tool_calls", ...openaiOnlyBut()],
      renamed: maxTokens,
      lacksDeveloperRole: true,
      streamOptions: "usage",
      reasoning: "effort",
      efforts: { minimal: "low", xhigh: "high" },
      history: "reasoning_content",
      // Retrieval models embed queries and passages differently and refuse a request that does not say which.
      embeddings: { demanded: { input_type: "query" }, inputTypes: { query: "query", document: "passage" } },
    },
  },
  deepinfra: {
    title: "DeepInfra",
    docs: "deepinfra.com/docs, OpenAI-compatible API",
    baseUrl: "https://api.deepinfra.com/v1/openai",
    env: "DEEPINFRA_API_KEY",
    needsKey: true,
    embeds: true,
    models: "/models",
    dialect: {
      unsupported: ["logit_bias", "parallel_tool_calls", ...openaiOnlyBut("prompt_cache_key")],
      renamed: maxTokens,
      lacksDeveloperRole: true,
      streamOptions: "usage",
      reasoning: "effort",
      efforts: { minimal: "low", xhigh: "high" },
      history: "reasoning_content",
      embeddings: { limits: { inputs: 1024 } },
    },
  },
} as const satisfies Record<string, CompatibleRow>;
