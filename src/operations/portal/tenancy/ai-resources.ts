import { z } from "zod";
import { Budget, ProviderConfig, RateLimit } from "../../../api/governance.ts";
import { flag, instant, obj } from "../fields.ts";

/** US dollars per token, image, second, …; a rate that a model does not have is left out. */
export const PortalAiCostRates = z.object({
  cache_creation_input_audio_token_cost: z.number().optional(),
  cache_creation_input_token_cost: z.number().optional(),
  cache_creation_input_token_cost_above_200k_tokens: z.number().optional(),
  cache_read_input_image_token_cost: z.number().optional(),
  cache_read_input_token_cost: z.number().optional(),
  cache_read_input_token_cost_above_200k_tokens: z.number().optional(),
  cache_read_input_token_cost_above_200k_tokens_priority: z.number().optional(),
  cache_read_input_token_cost_above_272k_tokens: z.number().optional(),
  cache_read_input_token_cost_above_272k_tokens_priority: z.number().optional(),
  cache_read_input_token_cost_flex: z.number().optional(),
  cache_read_input_token_cost_priority: z.number().optional(),
  code_interpreter_cost_per_session: z.number().optional(),
  input_cost_per_audio_per_second: z.number().optional(),
  input_cost_per_audio_per_second_above_128k_tokens: z.number().optional(),
  input_cost_per_audio_token: z.number().optional(),
  input_cost_per_character: z.number().optional(),
  input_cost_per_image: z.number().optional(),
  input_cost_per_image_token: z.number().optional(),
  input_cost_per_pixel: z.number().optional(),
  input_cost_per_second: z.number().optional(),
  input_cost_per_token: z.number().optional(),
  input_cost_per_token_above_128k_tokens: z.number().optional(),
  input_cost_per_token_above_200k_tokens: z.number().optional(),
  input_cost_per_token_above_200k_tokens_priority: z.number().optional(),
  input_cost_per_token_above_272k_tokens: z.number().optional(),
  input_cost_per_token_above_272k_tokens_priority: z.number().optional(),
  input_cost_per_token_batches: z.number().optional(),
  input_cost_per_token_flex: z.number().optional(),
  input_cost_per_token_priority: z.number().optional(),
  input_cost_per_video_per_second: z.number().optional(),
  input_cost_per_video_per_second_above_128k_tokens: z.number().optional(),
  output_cost_per_audio_token: z.number().optional(),
  output_cost_per_image: z.number().optional(),
  output_cost_per_image_above_1024_and_1024_pixels: z.number().optional(),
  output_cost_per_image_above_2048_and_2048_pixels: z.number().optional(),
  output_cost_per_image_above_4096_and_4096_pixels: z.number().optional(),
  output_cost_per_image_above_512_and_512_pixels: z.number().optional(),
  output_cost_per_image_auto_quality: z.number().optional(),
  output_cost_per_image_high_quality: z.number().optional(),
  output_cost_per_image_low_quality: z.number().optional(),
  output_cost_per_image_medium_quality: z.number().optional(),
  output_cost_per_image_token: z.number().optional(),
  output_cost_per_pixel: z.number().optional(),
  output_cost_per_second: z.number().optional(),
  output_cost_per_token: z.number().optional(),
  output_cost_per_token_above_128k_tokens: z.number().optional(),
  output_cost_per_token_above_200k_tokens: z.number().optional(),
  output_cost_per_token_above_200k_tokens_priority: z.number().optional(),
  output_cost_per_token_above_272k_tokens: z.number().optional(),
  output_cost_per_token_above_272k_tokens_priority: z.number().optional(),
  output_cost_per_token_batches: z.number().optional(),
  output_cost_per_token_flex: z.number().optional(),
  output_cost_per_token_priority: z.number().optional(),
  output_cost_per_video_per_second: z.number().optional(),
  search_context_cost_per_query: z.number().optional(),
});
export type PortalAiCostRates = z.output<typeof PortalAiCostRates>;

/** A customer: the top of the governance hierarchy. */
export const AiCustomer = z.object({
  budgets: z.array(Budget),
  id: z.string(),
  llms: obj.optional(),
  name: z.string(),
  profile: obj.optional(),
  rate_limits: z.array(RateLimit),
  teams: z.array(z.unknown()),
});
export type AiCustomer = z.output<typeof AiCustomer>;

/** A stored value that was checked when it was written. Checking it again would take most of the time of a list of ten thousand keys. */
function retained<Value>(description: string) {
  return z.unknown().meta({ description }) as unknown as z.ZodType<Value, Value>; // seam: the store holds only what the schema has accepted
}

/** A virtual key as lists show it. */
export const AiKey = z.object({
  budgets: z.array(retained<Budget>("a Budget")),
  customer: obj.optional(),
  description: z.string().optional(),
  id: z.string(),
  is_active: flag,
  is_limited: flag,
  name: z.string(),
  original_name: z.string().optional(),
  parent_profile: obj.optional(),
  profile: obj.optional(),
  project: z.string().optional(),
  project_id: z.string().optional(),
  provider_configs: z.array(retained<ProviderConfig>("a ProviderConfig")),
  rate_limits: z.array(retained<RateLimit>("a RateLimit")),
  team: obj.optional(),
  tokens_usage: obj.optional(),
  uplift: z.array(z.unknown()),
  user: z.string().optional(),
  user_id: z.string().optional(),
  verified: obj.optional(),
});
export type AiKey = z.output<typeof AiKey>;

/** A virtual key on its own. */
export const AiKeyDetail = z.object({
  budgets: z.array(Budget),
  customer: obj.optional(),
  description: z.string().optional(),
  id: z.string(),
  is_active: flag,
  model_limits: z.array(z.unknown()),
  name: z.string(),
  provider_configs: z.array(ProviderConfig),
  rate_limits: z.array(RateLimit),
  team: obj.optional(),
});
export type AiKeyDetail = z.output<typeof AiKeyDetail>;

/** A virtual key as changes answer it. */
export const AiKeyBrief = z.object({
  budgets: z.array(Budget),
  description: z.string().optional(),
  id: z.string(),
  is_active: flag,
  name: z.string(),
  provider_configs: z.array(ProviderConfig),
  rate_limits: z.array(RateLimit),
});
export type AiKeyBrief = z.output<typeof AiKeyBrief>;

/** What a key has cost from `from` to before `to`; `price` is in US dollars, with the uplift. */
export const AiKeyCost = z.object({
  from: instant,
  to: instant,
  key_price: z.int(),
  price: z.number(),
  tokens: z.int(),
  usage: obj,
});
export type AiKeyCost = z.output<typeof AiKeyCost>;

/** What a project has cost from `from` to before `to`; `price` is in US dollars, with the uplift. */
export const AiProjectCost = z.object({
  from: instant,
  to: instant,
  price: z.number(),
  tokens: z.int(),
  usage: obj,
});
export type AiProjectCost = z.output<typeof AiProjectCost>;

/** A project: `llms` when it is read alone, `llm` in lists. */
export const AiProject = z.object({
  budgets: z.array(Budget),
  client_id: z.string().optional(),
  customer: obj.optional(),
  description: z.string().optional(),
  disabled: flag,
  id: z.string(),
  keys: z.array(z.unknown()),
  llms: obj.optional(),
  llm: z.array(z.unknown()).optional(),
  name: z.string(),
  original_name: z.string().optional(),
  rate_limits: z.array(RateLimit),
  reseller: z.string().optional(),
  tokens_usage: obj.optional(),
});
export type AiProject = z.output<typeof AiProject>;

/** A new project. */
export const AiProjectCreated = z.object({
  budgets: z.array(Budget),
  customer_id: z.string().optional(),
  description: z.string().optional(),
  id: z.string(),
  llm: z.array(z.unknown()),
  name: z.string(),
  rate_limits: z.array(RateLimit),
});
export type AiProjectCreated = z.output<typeof AiProjectCreated>;

/** A user of a project; `enabled` is text, as the specification has it. */
export const AiProjectUser = z.object({
  client: z.string().optional(),
  client_id: z.string().optional(),
  email: z.string().optional(),
  enabled: z.string(),
  firstName: z.string().optional(),
  id: z.string(),
  lastName: z.string().optional(),
  reseller: z.string().optional(),
  username: z.string(),
});
export type AiProjectUser = z.output<typeof AiProjectUser>;

/** A new virtual key, with the value that is shown this once. */
export const AiKeyCreated = AiKeyBrief.extend({
  value: z.string(),
});
export type AiKeyCreated = z.output<typeof AiKeyCreated>;
