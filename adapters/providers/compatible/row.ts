import type { ProviderBilling } from "../../../src/engine/ports/provider.ts";
import type { CompatibilityProfile, EmbeddingDialect } from "../../shared/openai-compatible/compatibility-profile.ts";

import type { StoredResponseSupport } from "../../shared/openai-responses/stored.ts";

/** A vendor of OpenAI's dialect: where it is, how it knows its callers, what it can do and how it deviates. */
export interface CompatibleRow {
  /** The vendor as it writes itself. */
  readonly title: string;
  /** The page of its documentation that states the deviations. */
  readonly docs: string;
  /** Absent where every customer has an own one. */
  readonly baseUrl?: string;
  /** Path of its interface, where `baseUrl` is absent. */
  readonly basePath?: string;
  /** Usual name of the environment variable that holds its key; read by the CLI, never here. */
  readonly env?: string;
  /** Usual name of the environment variable that holds its base URL. */
  readonly urlEnv?: string;
  /** False for servers that run without a key. */
  readonly needsKey: boolean;
  /** The header that carries the key as it is; `authorization` with `Bearer` unless given. */
  readonly keyHeader?: string;
  /** Whether it has `POST /chat/completions`; it has unless given. */
  readonly chats?: boolean;
  /** Whether it has `POST /responses`: `auto` where it is asked there when the request needs it, `forced` where only on demand. */
  readonly responses?: "auto" | "forced";
  /** What it does with responses that it holds; what OpenAI does unless given. */
  readonly stored?: StoredResponseSupport;
  /** Whether it has `POST /embeddings`. */
  readonly embeds: boolean;
  /** The header of an answer that states its cost in dollars. */
  readonly costHeader?: string;
  /** Capability headers of callers that it has, and that change no prices. */
  readonly callerHeaders?: readonly string[];
  /** Path of its list of models, or the models themselves where it has no list. */
  readonly models: string | readonly string[];
  readonly dialect: CompatibilityProfile;
}

/** What OpenAI's chat has and hardly anybody else. */
const openaiOnly = [
  "metadata",
  "modalities",
  "prediction",
  "prompt_cache_key",
  "prompt_cache_retention",
  "safety_identifier",
  "store",
  "truncation",
  "verbosity",
  "web_search_options",
] as const;

/** The fields that hardly anybody has, but for those that this vendor has. */
export function openaiOnlyBut(...known: (typeof openaiOnly)[number][]): readonly string[] {
  return openaiOnly.filter((field) => !known.includes(field));
}

/** `max_tokens` is the vendor's only name of the bound on output. */
export const maxTokens = { max_completion_tokens: "max_tokens" } as const;

/** Mistral's embeddings, which are its own in more than one way. */
export const mistralEmbeddings = {
  unsupported: ["user", "input_type"],
  renamed: { dimensions: "output_dimension" },
  lacksTokens: true,
  limits: { inputs: 512, tokens: 16_000 },
} as const satisfies EmbeddingDialect;

/** Vendors whose usage states what an answer costs. */
const stateCosts: ReadonlySet<string> = new Set(["litellm", "openrouter", "perplexity", "xai"]);

/** What decides about a vendor's bills beside the usage of its answers. */
export function billingOf(row: string): ProviderBilling | undefined {
  return stateCosts.has(row) ? { reportsCost: true } : undefined;
}
