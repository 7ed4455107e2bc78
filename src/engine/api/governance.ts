import { z } from "zod";
import { counted } from "./common.ts";
import { Budget, Id, MaxInFlight, ModelPattern, RateLimit } from "./limits/limit.ts";
import { McpCeilings, McpConfigs } from "./mcp/access.ts";

export { Budget, MaxInFlight, ModelPattern, RateLimit, ResetDuration } from "./limits/limit.ts";

const [Name, Description] = [z.string().trim().min(1).max(200), z.string().max(2_000)];
const Instant = z.iso.datetime({ offset: true });
export const Metadata = counted(
  z.record(z.string().min(1).max(64), z.string().max(512)),
  { maxProperties: 64 },
  "must hold at most 64 tags",
);
/** A record's schema omits `__proto__` in silence; a caller who sends a tag of that name gets an error. */
export const ProvidedMetadata = z.preprocess((tags: z.input<typeof Metadata>, context) => {
  if (typeof tags !== "object" || tags === null || !Object.hasOwn(tags, "__proto__")) return tags;
  context.addIssue({ code: "custom", path: ["__proto__"], message: "is no name of a tag" });
  return z.NEVER;
}, Metadata);

const Budgets = z.array(Budget).max(20);
const RateLimits = z.array(RateLimit).max(20);

const ModelPatterns = z.array(ModelPattern).max(1_000);

/** A provider that a key may use, and what of it; without an entry there is no access. */
export const ProviderConfig = z.strictObject({
  /** The provider's name, or `*` for every provider that has no entry of its own. */
  provider: z.string().regex(/^(?:\*|[a-z0-9][a-z0-9._-]*)$/, "must be a provider's name or `*`"),
  /** Share of the requests whose model names no provider; 0 makes it a fallback only. */
  weight: z.number().nonnegative().max(1_000_000).default(1),
  /** `["*"]` allows all, `[]` none. Without a default: what a key may do is said, never assumed. */
  allowed_models: ModelPatterns,
  /** Wins over `allowed_models`. */
  blocked_models: ModelPatterns.default(() => []),
  /** Names of the provider's credentials that may be used: `["*"]` all, `[]` none. */
  key_ids: z
    .array(z.string().min(1).max(128))
    .max(1_000)
    .default(() => ["*"]),
  budgets: Budgets.default(() => []),
  rate_limits: RateLimits.default(() => []),
});
export type ProviderConfig = z.infer<typeof ProviderConfig>;

/** The entries of a key, one for each provider. */
export const ProviderConfigs = z
  .array(ProviderConfig)
  .max(100)
  .superRefine((entries, context) => {
    const names = entries.map(({ provider }) => provider);
    const at = names.findIndex((name, position) => names.indexOf(name) !== position);
    if (at >= 0)
      context.addIssue({ code: "custom", path: [at, "provider"], message: `\`${names[at]}\` is there twice` });
  });

/** What customers, projects and keys have in common. */
const settings = {
  name: Name,
  description: Description.nullish(),
  active: z.boolean().optional(),
  metadata: ProvidedMetadata.optional(),
  budgets: Budgets.optional(),
  rate_limits: RateLimits.optional(),
  max_in_flight: MaxInFlight.nullish(),
};

/** What customers and projects have in common. */
const groupSettings = {
  ...settings,
  /** The models that the keys below may ask, whatever their own entries allow; every model when absent. */
  llms: ModelPatterns.nullish(),
  /** The tools that the keys below may call, whatever their own entries allow; every tool when absent. */
  mcp_configs: McpCeilings.nullish(),
};

const Milliseconds = z.int().min(1).max(86_400_000);

/** Deadlines of a key's calls in milliseconds, in place of the provider's and the engine's; a call's own go before them. */
export const KeyTimeouts = z
  .strictObject({ connect: Milliseconds, first_content: Milliseconds, gap: Milliseconds, whole: Milliseconds })
  .partial();
export type KeyTimeouts = z.infer<typeof KeyTimeouts>;

const keySettings = {
  ...settings,
  /** RFC 3339; the key is refused before. */
  starts_at: Instant.nullish(),
  /** RFC 3339; the key is refused from then on. */
  expires_at: Instant.nullish(),
  project_id: Id.nullish(),
  /** Only for a key without a project; a project brings its own customer. */
  customer_id: Id.nullish(),
  /** Who the key belongs to. */
  user: z.string().min(1).max(256).nullish(),
  /** The key is refused while the portal's user whose id is `user` is disabled or gone. */
  user_bound: z.boolean().optional(),
  provider_configs: ProviderConfigs.optional(),
  /** The tools of MCP servers that the key may call; none without. */
  mcp_configs: McpConfigs.optional(),
  timeouts: KeyTimeouts.nullish(),
};

interface Parents {
  readonly project_id?: string | null | undefined;
  readonly customer_id?: string | null | undefined;
}
const hasOneParent = ({ project_id, customer_id }: Parents) => !(project_id && customer_id);
const oneParent = { path: ["customer_id"], message: "comes from the project and cannot be given beside it" };

interface Dates {
  readonly starts_at?: string | null | undefined;
  readonly expires_at?: string | null | undefined;
}

/** Whether there is a time at which a key with these dates is valid. */
export const isEverValid = ({ starts_at, expires_at }: Dates) =>
  !starts_at || !expires_at || Date.parse(starts_at) < Date.parse(expires_at);
const neverValid = { path: ["expires_at"], message: "must be after `starts_at`" };

/** Makes a customer: the top of the hierarchy. */
export const CustomerDraft = z.strictObject(groupSettings);
export type CustomerDraft = z.infer<typeof CustomerDraft>;

/** Changes a customer; what is absent stays, lists are replaced as a whole. */
export const CustomerPatch = CustomerDraft.partial();
export type CustomerPatch = z.infer<typeof CustomerPatch>;

/** Makes a project (team). */
export const ProjectDraft = z.strictObject({ ...groupSettings, customer_id: Id.nullish() });
export type ProjectDraft = z.infer<typeof ProjectDraft>;

/** Changes a project. */
export const ProjectPatch = ProjectDraft.partial();
export type ProjectPatch = z.infer<typeof ProjectPatch>;

const VirtualKeyFields = z.strictObject(keySettings);

/** Makes a virtual key. */
export const VirtualKeyDraft = VirtualKeyFields.refine(hasOneParent, oneParent).refine(isEverValid, neverValid);
export type VirtualKeyDraft = z.infer<typeof VirtualKeyDraft>;

/** Changes a virtual key; `null` takes a date, a parent, a user or a description away. */
export const VirtualKeyPatch = VirtualKeyFields.partial()
  .refine(hasOneParent, oneParent)
  .refine(isEverValid, neverValid);
export type VirtualKeyPatch = z.infer<typeof VirtualKeyPatch>;

const retained = {
  id: Id,
  name: Name,
  description: Description.optional(),
  active: z.boolean(),
  metadata: Metadata,
  budgets: Budgets,
  rate_limits: RateLimits,
  max_in_flight: MaxInFlight.optional(),
  /** RFC 3339 in UTC. */
  created_at: Instant,
  updated_at: Instant,
};

const storedGroup = { ...retained, llms: ModelPatterns.optional(), mcp_configs: McpCeilings.optional() };

/** A customer as it is kept and shown. */
export const Customer = z.strictObject(storedGroup);
export interface Customer extends z.infer<typeof Customer> {}

/** A project (team) as it is kept and shown. */
export const Project = z.strictObject({ ...storedGroup, customer_id: Id.optional() });
export interface Project extends z.infer<typeof Project> {}

/** A virtual key as it is shown: never with its value, nor with the hash of it. */
export const VirtualKey = z.strictObject({
  ...retained,
  /** The last four characters of the value, to tell keys apart. */
  last4: z.string(),
  starts_at: Instant.optional(),
  expires_at: Instant.optional(),
  project_id: Id.optional(),
  customer_id: Id.optional(),
  user: z.string().optional(),
  user_bound: z.boolean().optional(),
  provider_configs: ProviderConfigs,
  mcp_configs: McpConfigs.optional(),
  timeouts: KeyTimeouts.optional(),
});
export interface VirtualKey extends z.infer<typeof VirtualKey> {}
