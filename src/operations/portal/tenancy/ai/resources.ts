import { z } from "zod";
import { Budget, KeyTimeouts, ProviderConfig, RateLimit } from "../../../../engine/api/governance.ts";
import { flag, instant } from "../../fields.ts";

import {
  AiKeyProfile,
  AiModelLimit,
  AiModelUsage,
  AiReference,
  AiTeam,
  AiTokensUsage,
  AiUplift,
  LlmGroups,
  StoredBudget,
  StoredEntry,
  StoredMcpCeilings,
  StoredMcpConfigs,
  StoredRateLimit,
} from "./parts.ts";

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
  llms: LlmGroups.optional(),
  mcp_configs: StoredMcpCeilings.optional(),
  name: z.string(),
  profile: AiKeyProfile.optional(),
  rate_limits: z.array(RateLimit),
  teams: z.array(AiReference),
});
export type AiCustomer = z.output<typeof AiCustomer>;

/** Ours next to the specification's fields: when a key is valid, its deadlines and the caller's own tags, where it has any. */
export const keySettings = {
  starts_at: instant.optional(),
  expires_at: instant.optional(),
  timeouts: KeyTimeouts.optional(),
  metadata: z.record(z.string(), z.string()).optional(),
  /** Tools of MCP servers that the key may call; none without. */
  mcp_configs: StoredMcpConfigs.optional(),
};

/** Ours as well: the end of a key's value, and when it was made and used. */
const keyFacts = {
  ...keySettings,
  last4: z.string(),
  created_at: instant,
  /** When its newest request came in, refused ones included; absent where the ledger has none. */
  last_used_at: instant.optional(),
};

/** A virtual key as lists show it. */
export const AiKey = z.object({
  ...keyFacts,
  budgets: z.array(StoredBudget),
  customer: AiReference.optional(),
  description: z.string().optional(),
  id: z.string(),
  is_active: flag,
  is_limited: flag,
  name: z.string(),
  original_name: z.string().optional(),
  parent_profile: AiKeyProfile.optional(),
  profile: AiKeyProfile.optional(),
  project: z.string().optional(),
  project_id: z.string().optional(),
  provider_configs: z.array(StoredEntry),
  rate_limits: z.array(StoredRateLimit),
  team: AiTeam.optional(),
  tokens_usage: AiTokensUsage.optional(),
  uplift: z.array(AiUplift),
  user: z.string().optional(),
  user_id: z.string().optional(),
  verified: z.record(z.string(), z.boolean()).optional(),
});
export type AiKey = z.output<typeof AiKey>;

/** A virtual key on its own. */
export const AiKeyDetail = z.object({
  ...keyFacts,
  budgets: z.array(Budget),
  customer: AiReference.optional(),
  description: z.string().optional(),
  id: z.string(),
  is_active: flag,
  model_limits: z.array(AiModelLimit),
  name: z.string(),
  provider_configs: z.array(ProviderConfig),
  rate_limits: z.array(RateLimit),
  team: AiTeam.optional(),
});
export type AiKeyDetail = z.output<typeof AiKeyDetail>;

/** A virtual key as changes answer it. */
export const AiKeyBrief = z.object({
  ...keySettings,
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
  usage: z.record(z.string(), AiModelUsage),
});
export type AiKeyCost = z.output<typeof AiKeyCost>;

/** What a project has cost from `from` to before `to`; `price` is in US dollars, with the uplift. */
export const AiProjectCost = z.object({
  from: instant,
  to: instant,
  price: z.number(),
  tokens: z.int(),
  usage: z.record(z.string(), AiModelUsage),
});
export type AiProjectCost = z.output<typeof AiProjectCost>;

/** A project: `llms` when it is read alone, `llm` in lists. */
export const AiProject = z.object({
  budgets: z.array(Budget),
  client_id: z.string().optional(),
  customer: AiReference.optional(),
  description: z.string().optional(),
  disabled: flag,
  id: z.string(),
  keys: z.array(AiReference.extend({ is_active: flag })),
  llms: LlmGroups.optional(),
  llm: z.array(z.string()).optional(),
  /** The most that its keys may call of MCP servers; absent where it does not bound them. */
  mcp_configs: StoredMcpCeilings.optional(),
  name: z.string(),
  original_name: z.string().optional(),
  rate_limits: z.array(RateLimit),
  reseller: z.string().optional(),
  tokens_usage: AiTokensUsage.optional(),
});
export type AiProject = z.output<typeof AiProject>;

/** A new project. */
export const AiProjectCreated = z.object({
  budgets: z.array(Budget),
  customer_id: z.string().optional(),
  description: z.string().optional(),
  id: z.string(),
  llm: z.array(z.string()),
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
