import type { Rates } from "../api/rates.ts";

/** One line of a bill: `amount` is quantity × rate, rounded half up to a nano-dollar. */
export interface LineItem {
  /** What was counted: `input_tokens`, `cached_read_tokens`, `search_queries`, …; `reserved` where the price could not be worked out. */
  readonly unit: string;
  readonly quantity: number;
  /** Pico-dollars (10⁻¹² US dollars) per unit, a whole number. */
  readonly rate: number;
  /** Nano-dollars (10⁻⁹ US dollars), a whole number. */
  readonly amount: number;
  /** The rate's name, or how it was derived from others, e.g. `input_cost_per_token (no cache_read_input_token_cost)`. */
  readonly basis: string;
}

/** What is known of a model at one moment. Frozen, and the same object for as long as nothing changes. */
export interface ModelFacts {
  readonly provider: string;
  /** The name under which the model was found: the asked one, or that of the model which the asked one is a dated or other name of. */
  readonly model: string;
  /** The version of the prices that these facts are of, where it may not be the present one; see {@link Prices.version}. */
  readonly version?: string | undefined;
  /** US dollars per unit; absent when the price is unknown, which is not the same as free. */
  readonly rates?: Rates | undefined;
  /** `chat`, `embedding`, `rerank`, `image_generation`, … */
  readonly mode?: string | undefined;
  /** Tokens of prompt and answer together. */
  readonly context_length?: number | undefined;
  readonly max_input_tokens?: number | undefined;
  readonly max_output_tokens?: number | undefined;
  /** `text`, `image`, `audio`, `video`, `file`. */
  readonly input_modalities?: readonly string[] | undefined;
  readonly output_modalities?: readonly string[] | undefined;
  /** Request parameters that the model honours, as far as is known: `tools`, `reasoning`, `response_format`, … */
  readonly supported_parameters?: readonly string[] | undefined;
}

/** What people call a model, and what it may have read of; for lists, never for a bill. */
export interface ModelDescription {
  /** As its vendor writes it: `GPT-4o`. */
  readonly name?: string | undefined;
  /** The month of the latest texts that it was trained on: `2023-09`. */
  readonly knowledge_cutoff?: string | undefined;
}

/**
 * What models are and cost. Look-ups are synchronous and cheap, for the hot path; whatever has to be read is read at the first one.
 */
export interface Prices {
  /** Names the data and the overrides that answers come from; ledger rows keep it, so that a bill can be recomputed. */
  readonly version: string;
  /**
   * The facts of a model at a time (milliseconds since the epoch). `model` is the provider's own name; aliases, dated names
   * (`-2024-08-06`, `-20250929`), `-latest` and other letter cases are understood. `undefined`: the model is unknown.
   */
  find(provider: string, model: string, at: number): ModelFacts | undefined;
  /** All known models, or those of one provider, as they are at a time; aliases are not repeated. */
  list(at: number, provider?: string): readonly ModelFacts[];
  /** The description of a model by the name that {@link find} gave it; read at the first look-up, since only lists of models need it. */
  describe?(provider: string, model: string): Promise<ModelDescription | undefined>;
}
