import { describe, expect, it } from "vitest";
import { checkPriceNames } from "../../../../src/server/store/prices/price-names.ts";

/** The refusal of prices, or `undefined`. */
function refusalOf(prices: Record<string, unknown>): string | undefined {
  try {
    checkPriceNames(prices);
    return undefined;
  } catch (thrown) {
    return thrown instanceof Error ? thrown.message : String(thrown);
  }
}

describe("names in prices", () => {
  it.each([
    ["inptu_cost_per_token", "did you mean `input_cost_per_token`?"],
    ["input_csot_per_token", "did you mean `input_cost_per_token`?"],
    ["input_cost_per_token_batch", "did you mean `input_cost_per_token_batches`?"],
    ["output_cost_per_token_above_200k_token", "did you mean `output_cost_per_token_above_200k_tokens`?"],
    ["max_output_token", "did you mean `max_output_tokens`?"],
    ["price_in_dollars", "is not a rate; `tollgate price openai/gpt-5` shows the names of rates."],
  ])("%s is refused, with what was probably meant", (name, problem) => {
    const entry = { input_cost_per_token: 1e-6, [name]: 1e-6 };
    expect(refusalOf({ "lab/m": entry })).toContain(`\`prices.lab/m.${name}\` is n`);
    expect(refusalOf({ "lab/m": entry })).toContain(problem);
    expect(refusalOf({ "lab/m": [{ input_cost_per_token: 1e-6 }, entry] })).toContain(problem);
  });

  it("is refused in a search fee by size, too", () => {
    const fee = { search_context_size_low: 0.01, search_context_size_midium: 0.02 };
    expect(refusalOf({ "lab/m": { search_context_cost_per_query: fee } })).toContain("`search_context_size_medium`?");
  });

  it.each([
    "input_cost_per_token_above_512k_tokens_priority",
    "cache_creation_input_token_cost_above_1hr_above_200k_tokens",
    "output_cost_per_token_flex",
    "supports_vision",
    "source",
    "context_length",
  ])("%s is known, or is no price", (name) => {
    expect(refusalOf({ "lab/m": { [name]: 1 } })).toBeUndefined();
  });

  it("may be any in the common map format, as long as they are no misspelled rates", () => {
    const common = {
      litellm_provider: "bedrock_converse",
      annotation_cost_per_page: 0.003,
      cache_read_input_audio_token_cost: 1e-6,
      computer_use_input_cost_per_1k_tokens: 0.003,
      deprecation_date: "2027-01-01",
      file_search_cost_per_gb_per_day: 0.1,
      input_cost_per_token_cache_hit: 1e-7,
      input_cost_per_video_per_second_above_15s_interval: 0.002,
      input_dbu_cost_per_token: 1e-5,
      max_audio_length_hours: 8.4,
      max_query_tokens: 2_048,
      metadata: { notes: "prices of the vendor" },
      ocr_cost_per_page: 0.001,
      output_cost_per_character_above_128k_tokens: 1e-6,
      output_cost_per_second_1080p: 0.2,
      output_vector_size: 1_024,
      rpm: 1_000,
      tool_use_system_prompt_tokens: 159,
      tpm: 800_000,
      vector_store_cost_per_gb_per_day: 0.1,
    };
    expect(refusalOf({ sample_spec: { input_cost_per_tokn: 0 }, "a-model": common })).toBeUndefined();
    expect(refusalOf({ "a-model": { ...common, output_cost_per_tokn: 1e-6 } })).toBe(
      "`prices.a-model.output_cost_per_tokn` is not known; did you mean `output_cost_per_token`?",
    );
  });
});
