import type { DecisionInterface } from "./vendor.ts";

/** The part of a base URL that is the host. */
const hostOf = (baseUrl: string) => URL.parse(baseUrl)?.origin ?? baseUrl;

/** System One's own interface. */
export const systemOne = {
  form: "map",
  path: () => "/systemone",
  pictures: "assets",
  boxes: /./,
} as const satisfies DecisionInterface;

/** The interfaces for decisions of vendors whose other models chat, by provider name (inference-resolved.md, section 10). */
export const decisionInterfaces = {
  openai: {
    form: "list",
    path: () => "/decisions",
    models: /^gpt-6-luna(?:-\d|$)/,
    pictures: "parts",
    fewestOptions: 2,
    tier: "decisions",
  },
  openrouter: {
    form: "map",
    base: (baseUrl) => baseUrl.replace(/\/v1\/?$/, "/alpha"),
    path: () => "/decisions",
    models: /(?:^|\/)(?:jev-|clef|pplx-decider|rune|drex-|nimble|laya|gpt-6-luna-decisions)/i,
    pictures: "state",
    boxes: /jev-(?:1\.14|preview)/,
  },
  perplexity: {
    form: "map",
    base: hostOf,
    path: () => "/v1/decisions",
    models: /^pplx-decider/,
  },
  fireworks: {
    form: "map",
    path: () => "/systemone",
    models: /(?:^|\/)rune$/,
  },
  azure: {
    form: "map",
    base: foundryOf,
    path: () => "/systemone",
    models: /^microsoft-decision/i,
  },
  cloudflare: {
    form: "map",
    base: (baseUrl) => baseUrl.replace(/\/ai\/v1\/?$/, "/ai/run"),
    path: (model) => `/@cf/cloudflare/${encodeURIComponent(model.replace(/^@cf\/cloudflare\//, ""))}`,
    models: /^(?:@cf\/cloudflare\/)?clef(?:-flash|-omni)?$/,
    pictures: "images",
    mostPictures: 4,
  },
  databricks: {
    form: "map",
    base: hostOf,
    path: (model) =>
      model === "ai_decide"
        ? "/api/2.0/ai-functions/ai-decide"
        : `/serving-endpoints/${encodeURIComponent(model)}/invocations`,
    sendsModel: (model) => model !== "ai_decide",
    models: /^ai_decide$|openjev|(?:^|[.-])jev/i,
  },
  vllm: {
    form: "map",
    path: () => "/systemone",
    models: /(?:^|[/-])(?:laya|nimble|typed-decisions|openjev|jev|clm)(?:[-/:]|$)/i,
    pictures: "assets",
    boxes: /./,
  },
} as const satisfies Readonly<Record<string, DecisionInterface>>;

/** Foundry's address of a resource whose OpenAI address is given: `https://r.openai.azure.com` → `https://r.services.ai.azure.com`. */
function foundryOf(baseUrl: string): string {
  const host = hostOf(baseUrl).replace(/\.(?:openai\.azure|cognitiveservices\.azure)\.com$/, ".services.ai.azure.com");
  return `${host}/providers/microsoft/v1`;
}

/** The interface of a vendor's row, where it has one. */
export function decisionsOf(row: string): DecisionInterface | undefined {
  return Object.hasOwn(decisionInterfaces, row)
    ? decisionInterfaces[row as keyof typeof decisionInterfaces]
    : undefined;
}
