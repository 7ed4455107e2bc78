import { z } from "zod";
import { Budget, ProviderConfig, RateLimit } from "../../../../engine/api/governance.ts";
import { McpCeilings, McpConfigs } from "../../../../engine/api/mcp/access.ts";
import { providerVerbs } from "../../../../engine/ports/provider.ts";
import { describedAs } from "../../../document/json-schema.ts";
import { flag, instant } from "../../fields.ts";

/** A budget, an entry and a rate limit of a stored key. Checking them again would take most of the time of a list of ten thousand keys. */
export const [StoredBudget, StoredEntry, StoredRateLimit] = [
  describedAs(Budget),
  describedAs(ProviderConfig),
  describedAs(RateLimit),
];

/** What a stored key may use of tool servers, and the most that the keys of a project may. */
export const [StoredMcpConfigs, StoredMcpCeilings] = [describedAs(McpConfigs), describedAs(McpCeilings)];

/** What a provider can be asked for. */
export const Verb = z.enum(providerVerbs);

/** A record as others name it. */
export const AiReference = z.object({ id: z.string(), name: z.string() });

/** The project of a key. */
export const AiTeam = AiReference.extend({ disabled: flag });

/** The tier of a key. `key_price` is in US dollars a month. */
export const AiKeyProfile = z.object({ name: z.string(), llms: z.array(z.string()), key_price: z.number() });

/** What was used in a period; cost in US dollars. */
export const AiTokensUsage = z.object({
  /** All that came in, refused ones included. */
  requests: z.int(),
  /** Requests that no provider was asked for, since the gateway refused them. */
  refused: z.int(),
  prompt_tokens: z.int(),
  completion_tokens: z.int(),
  total_tokens: z.int(),
  cost: z.number(),
});

/** What one model was used for in a period; money in US dollars, `price` with the uplift. */
export const AiModelUsage = z.object({
  requests: z.int(),
  refused: z.int(),
  prompt_tokens: z.int(),
  completion_tokens: z.int(),
  cost: z.number(),
  price: z.number(),
});

/** A percentage on the cost of a provider, or of all that have none of their own. */
export const AiUplift = z.object({ provider: z.string().optional(), percent: z.number() });

/** A limit of a provider entry of a key: `cost` in US dollars, the others in tokens and requests. */
export const AiModelLimit = z.object({
  provider: z.string(),
  unit: z.enum(["requests", "tokens", "cost"]),
  max_limit: z.number(),
  used: z.number(),
  left: z.number(),
  reset_duration: z.string(),
  /** Absent until the window has begun. */
  resets_at: instant.optional(),
});

/** Patterns of models by their provider. */
export const LlmGroups = z.record(z.string(), z.array(z.string()));
