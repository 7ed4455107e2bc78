import {
  azure,
  type CompatibleName,
  type CompatibleRow,
  compatible,
  compatibleProviders,
} from "tollgate/providers/compatible";
import type { Transport } from "tollgate/transports/undici";
import { z } from "zod";
import type { Provider } from "../../engine/ports/provider.ts";
import type { CredentialConfig } from "../config/shape.ts";
import type { Present } from "../present-options.ts";
import { common, llamaModel, modelRules, pause, text, upstream } from "./kind-settings.ts";

/** A kind of provider that can be declared in a configuration, or found in the environment. */
export interface ProviderKind {
  /** For people; absent where every customer has an own one. */
  readonly baseUrl?: string | undefined;
  /** Variables that usually hold its key, best first. */
  readonly keyVariables: readonly string[];
  /** The variable that usually holds its base URL. */
  readonly urlVariable?: string | undefined;
  /** Variables of further settings by their names, one of which it needs. */
  readonly placeVariables?: Readonly<Record<string, string>> | undefined;
  readonly needsKey: boolean;
  /** True for a server of one's own: a key in the environment does not say that it runs. */
  readonly isSelfHosted: boolean;
  /** The schema of its settings in a configuration. */
  readonly shape: z.ZodObject;
  /** Makes the provider of that name; `settings` are what `shape` gave, with a key where one is needed. */
  make(name: string, settings: ProviderSettings & { readonly transport?: Transport }): Promise<Provider>;
}

/** Settings of a provider that tollgate itself looks at; the rest is for its kind. */
export interface ProviderSettings {
  readonly apiKey?: string;
  readonly credentials?: readonly CredentialConfig[];
  readonly baseUrl?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The settings as factory options, without undefined fields. */
type OptionsOf<Shape extends z.ZodObject> = Present<z.output<Shape>>;

function defineKind<Shape extends z.ZodObject>(
  kind: Omit<ProviderKind, "shape" | "make"> & {
    readonly shape: Shape;
    make(name: string, options: OptionsOf<Shape>): Promise<Provider>;
  },
): ProviderKind {
  return kind as ProviderKind; // the caller of `make` has parsed the settings by `shape` and checked the key
}

const native = {
  openai: defineKind({
    baseUrl: "https://api.openai.com/v1",
    keyVariables: ["OPENAI_API_KEY"],
    urlVariable: "OPENAI_BASE_URL",
    needsKey: true,
    isSelfHosted: false,
    shape: z.strictObject({ ...common, modelRules, upstream, organization: text.optional(), project: text.optional() }),
    async make(name, options) {
      const { openai } = await import("tollgate/providers/openai");
      return openai({ ...options, name });
    },
  }),
  anthropic: defineKind({
    baseUrl: "https://api.anthropic.com",
    keyVariables: ["ANTHROPIC_API_KEY"],
    urlVariable: "ANTHROPIC_BASE_URL",
    needsKey: true,
    isSelfHosted: false,
    shape: z.strictObject({
      ...common,
      modelRules,
      version: text.optional(),
      beta: z.array(text).optional(),
      maxTokens: z.int().positive().optional(),
    }),
    async make(name, options) {
      const { anthropic } = await import("tollgate/providers/anthropic");
      return anthropic({ ...options, name });
    },
  }),
  gemini: defineKind({
    baseUrl: "https://generativelanguage.googleapis.com/v1beta",
    keyVariables: ["GEMINI_API_KEY", "GOOGLE_API_KEY"],
    needsKey: true,
    isSelfHosted: false,
    shape: z.strictObject({ ...common, modelRules }),
    async make(name, options) {
      const { gemini } = await import("tollgate/providers/gemini");
      return gemini({ ...options, name });
    },
  }),
  cohere: defineKind({
    baseUrl: "https://api.cohere.com",
    keyVariables: ["COHERE_API_KEY", "CO_API_KEY"],
    needsKey: true,
    isSelfHosted: false,
    shape: z.strictObject({ ...common, modelRules, clientName: text.optional() }),
    async make(name, options) {
      const { cohere } = await import("tollgate/providers/cohere");
      return cohere({ ...options, name });
    },
  }),
};

/** Cloud vendors, which need more than a key to be addressed. */
const clouds = {
  bedrock: defineKind({
    keyVariables: ["AWS_BEARER_TOKEN_BEDROCK"],
    needsKey: true,
    isSelfHosted: false,
    shape: z.strictObject({ ...common, modelRules, region: text, maxTokens: z.int().positive().optional() }),
    async make(name, options) {
      const { bedrock } = await import("tollgate/providers/bedrock");
      return bedrock({ ...options, name });
    },
  }),
  watsonx: defineKind({
    baseUrl: "https://us-south.ml.cloud.ibm.com",
    keyVariables: ["WATSONX_API_KEY", "WATSONX_APIKEY"],
    urlVariable: "WATSONX_URL",
    placeVariables: { projectId: "WATSONX_PROJECT_ID", spaceId: "WATSONX_SPACE_ID" },
    needsKey: true,
    isSelfHosted: false,
    shape: z.strictObject({
      ...common,
      modelRules,
      projectId: text.optional(),
      spaceId: text.optional(),
      iamUrl: common.baseUrl,
    }),
    async make(name, options) {
      const { watsonx } = await import("tollgate/providers/watsonx");
      return watsonx({ ...options, name });
    },
  }),
  vertex: defineKind({
    keyVariables: [],
    needsKey: false,
    isSelfHosted: true,
    shape: z.strictObject({
      baseUrl: common.baseUrl,
      headers: common.headers,
      modelRules,
      project: text,
      location: text,
      accessToken: text.optional(),
      maxTokens: z.int().positive().optional(),
    }),
    async make(name, options) {
      const { vertex } = await import("tollgate/providers/vertex");
      return vertex({ ...options, name });
    },
  }),
};

/** Vendors of decision models; each has an address of its own. */
const systemoneKind = defineKind({
  keyVariables: [],
  needsKey: true,
  isSelfHosted: false,
  shape: z.strictObject({ ...common, baseUrl: common.baseUrl.unwrap(), form: z.enum(["map", "list"]).optional() }),
  async make(name, options) {
    const { systemone } = await import("tollgate/providers/systemone");
    return systemone({ ...options, name });
  },
});

/** The kind of a row of the compatible table. */
function compatibleKind(row: CompatibleName): ProviderKind {
  const { baseUrl, env, urlEnv, needsKey, responses }: CompatibleRow = compatibleProviders[row];
  return defineKind({
    baseUrl,
    keyVariables: env === undefined ? [] : [env],
    urlVariable: urlEnv,
    needsKey,
    isSelfHosted: !needsKey,
    shape: z.strictObject(responses === undefined ? { ...common, modelRules } : { ...common, modelRules, upstream }),
    make: async (name, options) => compatible(row, { ...options, name }),
  });
}

/** Azure, which is also found by the name of a resource. */
const azureKind = defineKind({
  ...compatibleKind("azure"),
  shape: z.strictObject({ ...common, modelRules, upstream, resource: text.optional() }),
  make: async (name, options) => azure({ ...options, name }),
});

const compatibleNames = Object.keys(compatibleProviders) as CompatibleName[];

/** A server of OpenAI's dialect that has no kind of its own. */
export const customKind = defineKind({
  keyVariables: [],
  needsKey: false,
  isSelfHosted: true,
  shape: z.strictObject({
    ...common,
    modelRules,
    baseUrl: common.baseUrl.unwrap(),
    embeds: z.boolean().optional(),
    reranks: z.boolean().optional(),
    models: z.union([text, z.array(text)], { error: "must be a path or a list of models" }).optional(),
  }),
  async make(name, options) {
    const { custom } = await import("tollgate/providers/compatible");
    return custom(name, options);
  },
});

/** Models in this process, by `node-llama-cpp`. */
const llamaCppKind = defineKind({
  keyVariables: [],
  needsKey: false,
  isSelfHosted: true,
  shape: z.strictObject({
    models: z.record(text, z.union([text, llamaModel], { error: "must be a path, or an object with `path`" })),
    threads: z.int().positive().optional(),
  }),
  async make(name, options) {
    const { llamaCpp } = await import("tollgate/providers/llama-cpp");
    return llamaCpp({ ...options, name });
  },
});

/** Every kind by its name. */
export const kinds: Readonly<Record<string, ProviderKind>> = {
  ...native,
  ...clouds,
  systemone: systemoneKind,
  "llama-cpp": llamaCppKind,
  ...Object.fromEntries(compatibleNames.map((row) => [row, compatibleKind(row)])),
  azure: azureKind,
  local: defineKind({
    keyVariables: [],
    needsKey: false,
    isSelfHosted: true,
    shape: z.strictObject({
      pauseMs: pause.optional(),
      models: z.array(text).max(100).optional(),
    }),
    async make(name, options) {
      const { local } = await import("tollgate/providers/local");
      return local({ ...options, name });
    },
  }),
};
