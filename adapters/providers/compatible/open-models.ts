import { type CompatibleRow, maxTokens, openaiOnlyBut } from "./row.ts";

/** What vendors of open models, on servers like vLLM, have of OpenAI's chat. */
const openModels = {
  unsupported: ["user", "service_tier", "parallel_tool_calls", ...openaiOnlyBut()],
  renamed: maxTokens,
  lacksDeveloperRole: true,
  streamOptions: "usage",
  reasoning: "effort",
  efforts: { minimal: "low", xhigh: "high" },
  history: "reasoning_content",
} as const satisfies CompatibleRow["dialect"];

/** Makers of open models, and those who serve them. Deviations are those of the page named in `docs`, read in November 2026. */
export const openModelRows = {
  moonshot: {
    title: "Moonshot AI (Kimi)",
    docs: "platform.moonshot.ai/docs/api/chat",
    baseUrl: "https://api.moonshot.ai/v1",
    env: "MOONSHOT_API_KEY",
    needsKey: true,
    embeds: false,
    models: "/models",
    dialect: {
      unsupported: [
        ...["logprobs", "top_logprobs", "logit_bias", "seed", "user", "service_tier", "parallel_tool_calls"],
        ...openaiOnlyBut("prompt_cache_key", "safety_identifier"),
      ],
      // Kimi's sampling is fixed; other values are a 400.
      unsupportedBy: {
        models: /^kimi-/,
        fields: ["temperature", "top_p", "n", "frequency_penalty", "presence_penalty"],
      },
      lacksDeveloperRole: true,
      streamOptions: "usage",
      reasoning: "thinking_type",
      history: "reasoning_content", // a turn with tool calls is refused without it
    },
  },
  zai: {
    title: "Z.AI (GLM)",
    docs: "docs.z.ai/api-reference/llm/chat-completion",
    baseUrl: "https://api.z.ai/api/paas/v4",
    env: "ZAI_API_KEY",
    needsKey: true,
    embeds: false,
    models: ["glm-5.2", "glm-5.1", "glm-5", "glm-5-turbo", "glm-4.7", "glm-4.6", "glm-4.5", "glm-4.5-air"], // it has no list
    dialect: {
      unsupported: [
        ...["logprobs", "top_logprobs", "logit_bias", "n", "seed", "user", "service_tier", "parallel_tool_calls"],
        ...["frequency_penalty", "presence_penalty", ...openaiOnlyBut()],
      ],
      unsupportedInMessages: ["name", "annotations", "refusal", "audio"],
      renamed: maxTokens,
      lacksDeveloperRole: true,
      streamOptions: "none",
      reasoning: "thinking_type",
      history: "reasoning_content",
    },
  },
  dashscope: {
    title: "Alibaba Cloud DashScope (Qwen)",
    docs: "alibabacloud.com/help/en/model-studio/compatibility-of-openai-with-dashscope",
    baseUrl: "https://dashscope-intl.aliyuncs.com/compatible-mode/v1",
    env: "DASHSCOPE_API_KEY",
    needsKey: true,
    embeds: true,
    models: "/models",
    dialect: {
      unsupported: ["logit_bias", "user", "service_tier", "frequency_penalty", ...openaiOnlyBut()],
      renamed: maxTokens,
      lacksDeveloperRole: true,
      streamOptions: "usage",
      reasoning: "enable_thinking",
      history: "reasoning_content",
      embeddings: { unsupported: ["user", "input_type"], lacksTokens: true, limits: { inputs: 10 } },
    },
  },
  volcengine: {
    title: "Volcano Engine Ark (Doubao)",
    docs: "volcengine.com/docs/82379, Chat API",
    baseUrl: "https://ark.cn-beijing.volces.com/api/v3",
    env: "ARK_API_KEY",
    needsKey: true,
    embeds: true,
    models: "/models",
    dialect: {
      unsupported: ["seed", "n", "user", ...openaiOnlyBut()],
      renamed: maxTokens,
      lacksDeveloperRole: true,
      streamOptions: "usage",
      reasoning: "thinking",
      efforts: { xhigh: "high" },
      history: "reasoning_content",
      embeddings: { unsupported: ["user", "input_type"], lacksTokens: true },
    },
  },
  minimax: {
    title: "MiniMax",
    docs: "platform.minimax.io/docs/api-reference/text-openai-api",
    baseUrl: "https://api.minimax.io/v1",
    env: "MINIMAX_API_KEY",
    needsKey: true,
    embeds: false,
    models: ["MiniMax-M2.5", "MiniMax-M2.1", "MiniMax-M2"],
    dialect: {
      unsupported: [
        ...["logprobs", "top_logprobs", "logit_bias", "n", "seed", "user", "service_tier", "parallel_tool_calls"],
        ...["frequency_penalty", "presence_penalty", ...openaiOnlyBut()],
      ],
      renamed: maxTokens,
      lacksDeveloperRole: true,
      streamOptions: "usage",
      reasoning: "unsupported", // it always reasons
      history: "reasoning_content",
    },
  },
  siliconflow: {
    title: "SiliconFlow",
    docs: "docs.siliconflow.com/en/api-reference/chat-completions/chat-completions",
    baseUrl: "https://api.siliconflow.com/v1",
    env: "SILICONFLOW_API_KEY",
    needsKey: true,
    embeds: true,
    models: "/models",
    dialect: {
      ...openModels,
      unsupported: ["logprobs", "top_logprobs", "logit_bias", "seed", ...openModels.unsupported],
      reasoning: "enable_thinking",
      rerank: { path: "/rerank", lacks: ["max_tokens_per_doc", "priority"] },
    },
  },
  sambanova: {
    title: "SambaNova",
    docs: "docs.sambanova.ai/docs/en/api-reference/endpoints/chat",
    baseUrl: "https://api.sambanova.ai/v1",
    env: "SAMBANOVA_API_KEY",
    needsKey: true,
    embeds: true,
    models: "/models",
    dialect: {
      ...openModels,
      unsupported: [
        ...["logprobs", "top_logprobs", "logit_bias", "n", "seed", "frequency_penalty", "presence_penalty"],
        ...openModels.unsupported,
      ],
    },
  },
  nebius: openModelsAt("Nebius Token Factory", {
    docs: "docs.tokenfactory.nebius.com, API reference",
    baseUrl: "https://api.tokenfactory.nebius.com/v1",
    env: "NEBIUS_API_KEY",
  }),
  novita: openModelsAt("Novita AI", {
    docs: "novita.ai/docs/api-reference/model-apis-llm-create-chat-completion",
    baseUrl: "https://api.novita.ai/openai/v1",
    env: "NOVITA_API_KEY",
  }),
  baseten: openModelsAt("Baseten Model APIs", {
    docs: "docs.baseten.co/reference/inference-api/chat-completions",
    baseUrl: "https://inference.baseten.co/v1",
    env: "BASETEN_API_KEY",
  }),
  scaleway: openModelsAt("Scaleway Generative APIs", {
    docs: "scaleway.com/en/developers/api/generative-apis",
    baseUrl: "https://api.scaleway.ai/v1",
    env: "SCALEWAY_API_KEY",
  }),
  ovhcloud: openModelsAt("OVHcloud AI Endpoints", {
    docs: "help.ovhcloud.com, AI Endpoints",
    baseUrl: "https://oai.endpoints.kepler.ai.cloud.ovh.net/v1",
    env: "OVHCLOUD_API_KEY",
  }),
} as const satisfies Record<string, CompatibleRow>;

function openModelsAt(title: string, place: Pick<CompatibleRow, "docs" | "baseUrl" | "env">) {
  return { title, ...place, needsKey: true, embeds: true, models: "/models", dialect: openModels } as const;
}
