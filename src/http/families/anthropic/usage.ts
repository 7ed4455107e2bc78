import type { Usage } from "../../../api/usage.ts";
import type { AnthropicUsage } from "./schema.ts";

/** The vendor's words for the tiers that it has. */
const tiers = new Map([
  ["default", "standard"],
  ["standard", "standard"],
  ["priority", "priority"],
  ["batch", "batch"],
]);

/**
 * The vendor's counts and the service tier that answered: cached reads and writes stand beside `input_tokens`, not inside. Without usage all
 * counts are 0; a tier that the vendor does not have is null.
 */
export function writeUsage(usage: Usage | undefined, tier: string | null | undefined): AnthropicUsage {
  const { prompt_tokens: prompt = 0, completion_tokens: completion = 0 } = usage ?? {};
  const { prompt_tokens_details: prompted, completion_tokens_details: completed } = usage ?? {};
  const read = prompted?.cached_read_tokens ?? 0;
  const written = prompted?.cached_write_tokens ?? 0;
  return {
    input_tokens: Math.max(0, prompt - read - written),
    output_tokens: completion,
    cache_read_input_tokens: prompted?.cached_read_tokens ?? null,
    cache_creation_input_tokens: prompted?.cached_write_tokens ?? null,
    cache_creation: written === 0 ? null : cacheCreation(written, prompted?.cached_write_tokens_1h),
    output_tokens_details:
      completed?.reasoning_tokens === undefined ? null : { thinking_tokens: completed.reasoning_tokens },
    server_tool_use: completed?.num_search_queries
      ? { web_search_requests: completed.num_search_queries, web_fetch_requests: 0 }
      : null,
    service_tier: tiers.get(tier ?? "") ?? null,
    inference_geo: null,
    speed: null,
  };
}

function cacheCreation(written: number, hourly: unknown) {
  const forAnHour = typeof hourly === "number" ? Math.min(hourly, written) : 0;
  return { ephemeral_1h_input_tokens: forAnHour, ephemeral_5m_input_tokens: written - forAnHour };
}
