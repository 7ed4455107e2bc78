import { describe, expect, it } from "vitest";
import { AiCostRates, ModelPrice, PriceMap, Rates, rateNames } from "../../../src/engine/api/rates.ts";
import { priceUsage } from "../../../src/engine/metering/cost.ts";
import { toAiCostRates } from "../../../src/engine/metering/rates.ts";
import { unbilledNames } from "../../adapters/support/unbilled-names.ts";

/** AiCostRates as the portal's specification lists them. */
const specified = `cache_creation_input_audio_token_cost, cache_creation_input_token_cost,
  cache_creation_input_token_cost_above_200k_tokens, cache_read_input_image_token_cost, cache_read_input_token_cost,
  cache_read_input_token_cost_above_200k_tokens, cache_read_input_token_cost_above_200k_tokens_priority,
  cache_read_input_token_cost_above_272k_tokens, cache_read_input_token_cost_above_272k_tokens_priority,
  cache_read_input_token_cost_flex, cache_read_input_token_cost_priority, code_interpreter_cost_per_session,
  input_cost_per_audio_per_second, input_cost_per_audio_per_second_above_128k_tokens, input_cost_per_audio_token,
  input_cost_per_character, input_cost_per_image, input_cost_per_image_token, input_cost_per_pixel, input_cost_per_second,
  input_cost_per_token, input_cost_per_token_above_128k_tokens, input_cost_per_token_above_200k_tokens,
  input_cost_per_token_above_200k_tokens_priority, input_cost_per_token_above_272k_tokens,
  input_cost_per_token_above_272k_tokens_priority, input_cost_per_token_batches, input_cost_per_token_flex,
  input_cost_per_token_priority, input_cost_per_video_per_second, input_cost_per_video_per_second_above_128k_tokens,
  output_cost_per_audio_token, output_cost_per_image, output_cost_per_image_above_1024_and_1024_pixels,
  output_cost_per_image_above_2048_and_2048_pixels, output_cost_per_image_above_4096_and_4096_pixels,
  output_cost_per_image_above_512_and_512_pixels, output_cost_per_image_auto_quality, output_cost_per_image_high_quality,
  output_cost_per_image_low_quality, output_cost_per_image_medium_quality, output_cost_per_image_token, output_cost_per_pixel,
  output_cost_per_second, output_cost_per_token, output_cost_per_token_above_128k_tokens,
  output_cost_per_token_above_200k_tokens, output_cost_per_token_above_200k_tokens_priority,
  output_cost_per_token_above_272k_tokens, output_cost_per_token_above_272k_tokens_priority, output_cost_per_token_batches,
  output_cost_per_token_flex, output_cost_per_token_priority, output_cost_per_video_per_second, search_context_cost_per_query`
  .split(",")
  .map((name) => name.trim());

const added = [
  "output_cost_per_reasoning_token",
  "citation_cost_per_token",
  "input_cost_per_query",
  "input_cost_per_request",
  "cache_creation_input_token_cost_above_1hr",
  "cache_read_input_audio_token_cost",
  "input_cost_per_video_token",
  "output_cost_per_video_token",
  "output_cost_per_character",
  "ocr_cost_per_page",
  "annotation_cost_per_page",
  "google_maps_grounding_cost_per_query",
  "output_cost_per_second_480p",
  "output_cost_per_second_720p",
  "output_cost_per_second_1080p",
  "output_cost_per_second_4k",
  "search_cost_per_request",
];

describe("the names of rates", () => {
  it("are those of AiCostRates and those that the cost object needs besides, none else", () => {
    expect([...rateNames].sort()).toEqual([...specified, ...added].sort());
  });

  it("are all understood by bills", () => {
    const all = Object.fromEntries(rateNames.map((name) => [name, 0.001]));
    expect(unbilledNames(all)).toEqual([]);
  });
});

describe("rates", () => {
  it.each(rateNames)("%s is a price or absent", (name) => {
    expect(AiCostRates.safeParse({ [name]: 2.5e-6 }).success).toBe(true);
    for (const wrong of ["2.5", null, -1, Number.NaN, 1_001])
      expect(AiCostRates.safeParse({ [name]: wrong }).success).toBe(false);
  });

  it("keep what they do not know", () => {
    expect(Rates.parse({ input_cost_per_token_above_512k_tokens: 1e-6 })).toEqual({
      input_cost_per_token_above_512k_tokens: 1e-6,
    });
  });

  it("may have a search fee by size, which the portal shows as one number", () => {
    const bySize = {
      search_context_size_low: 0.005,
      search_context_size_medium: 0.008,
      search_context_size_high: 0.012,
    };
    const rates = Rates.parse({ input_cost_per_token: 1e-6, search_context_cost_per_query: bySize });
    expect(toAiCostRates(rates)).toEqual({ input_cost_per_token: 1e-6, search_context_cost_per_query: 0.008 });
    expect(AiCostRates.safeParse(toAiCostRates(rates)).success).toBe(true);
    expect(toAiCostRates({ input_cost_per_token: 1e-6 })).toEqual({ input_cost_per_token: 1e-6 });
    expect(Rates.safeParse({ search_context_cost_per_query: { search_context_size_low: "a" } }).success).toBe(false);
  });
});

describe("a price file", () => {
  it("has rates and sizes by model, as a price or a list of dated ones", () => {
    const file = {
      "openai/gpt-4o": { input_cost_per_token: 2e-6, max_tokens: 4_096, supports_vision: true },
      "acme/one": [{ input_cost_per_token: 1e-6 }, { input_cost_per_token: 2e-6, effective_from: "2026-12-01" }],
    };
    expect(PriceMap.parse(file)).toEqual(file);
  });

  it.each([
    { max_tokens: 1.5 },
    { max_input_tokens: -1 },
    { max_output_tokens: "x" },
    { mode: 1 },
    { litellm_provider: 1 },
    { effective_from: "tomorrow" },
  ])("refuses %j", (entry) => {
    expect(ModelPrice.safeParse(entry).success).toBe(false);
  });
});

describe("every rate", () => {
  it("that the portal can show changes some bill", () => {
    const tokens = { prompt_tokens: 300_000, completion_tokens: 100_000, total_tokens: 400_000 };
    const cached = {
      cached_read_tokens: 90_000,
      cached_write_tokens: 90_000,
      cached_write_tokens_1h: 9,
      cached_write_audio_tokens: 9,
      cached_read_audio_tokens: 9,
    };
    const usage = {
      ...tokens,
      search_units: 2,
      prompt_tokens_details: {
        ...cached,
        cached_read_image_tokens: 9,
        audio_tokens: 99,
        image_tokens: 99,
        video_tokens: 9,
      },
      completion_tokens_details: {
        reasoning_tokens: 9,
        citation_tokens: 9,
        audio_tokens: 9,
        image_tokens: 9,
        video_tokens: 9,
        num_search_queries: 2,
      },
    };
    const counts = {
      code_interpreter_sessions: 1,
      maps_queries: 1,
      input_pages: 1,
      annotated_pages: 1,
      output_characters: 1,
      output_seconds_480p: 1,
      output_seconds_720p: 1,
      output_seconds_1080p: 1,
      output_seconds_4k: 1,
      input_characters: 1,
      input_images: 1,
      input_pixels: 1,
      input_seconds: 1,
      input_audio_seconds: 1,
      input_video_seconds: 1,
      output_pixels: 1,
      output_seconds: 1,
      output_video_seconds: 1,
    };
    const plain = { input_cost_per_token: 1e-6, output_cost_per_token: 1e-6 };
    const totals = (rates: Rates) =>
      [undefined, "priority", "flex", "batch"].flatMap((serviceTier) =>
        [130_000, 210_000, 300_000].flatMap((prompt_tokens) =>
          (
            [
              [undefined, 0],
              ["low", 600],
              ["medium", 1_100],
              ["high", 2_100],
              ["auto", 5_000],
              [undefined, 5_000],
              [undefined, 3_000],
              [undefined, 1_500],
              [undefined, 700],
            ] as const
          ).map(
            ([quality, side]) =>
              priceUsage(
                { usage: { ...usage, prompt_tokens }, serviceTier, counts, images: { count: 1, quality, side } },
                rates,
              )?.total,
          ),
        ),
      );
    const before = JSON.stringify(totals(plain));
    for (const name of rateNames)
      expect([name, JSON.stringify(totals({ ...plain, [name]: 0.000123 })) === before]).toEqual([name, false]);
  });
});
