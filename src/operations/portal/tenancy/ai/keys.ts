import { z } from "zod";
import {
  Budget,
  KeyTimeouts,
  ModelPattern,
  ProvidedMetadata,
  ProviderConfigs,
  RateLimit,
} from "../../../../engine/api/governance.ts";
import { McpConfigs } from "../../../../engine/api/mcp/access.ts";
import { op } from "../../../define.ts";
import { flag, id, instant, note, text, title } from "../../fields.ts";
import { StoredBudget, StoredEntry, StoredRateLimit } from "./parts.ts";
import { AiKey, AiKeyBrief, AiKeyCost, AiKeyCreated, AiKeyDetail, keySettings } from "./resources.ts";

/** What a key can be given when it is created and later. `llms` and `provider_configs` exclude each other: both say which models the key may ask. */
const settings = {
  budgets: z.array(Budget).max(20).optional(),
  rate_limits: z.array(RateLimit).max(20).optional(),
  llms: z.array(ModelPattern).max(1_000).optional(),
  /** One entry for each provider, with weight, credentials and limits of its own. */
  provider_configs: ProviderConfigs.optional(),
  /** Tools of MCP servers that the key may call, one entry for each server; none without. */
  mcp_configs: McpConfigs.optional(),
};

/** A virtual key without its value, in the fields that `POST /ai/keys` takes, and what identifies it. */
export const AiKeyExport = z.object({
  id: z.string(),
  name: z.string(),
  description: z.string().optional(),
  tier: z.string().optional(),
  active: flag,
  user_bound: flag,
  project_id: z.string().optional(),
  user: z.string().optional(),
  provider_configs: z.array(StoredEntry),
  budgets: z.array(StoredBudget),
  rate_limits: z.array(StoredRateLimit),
  ...keySettings,
  last4: z.string(),
  created_at: instant,
});
export type AiKeyExport = z.output<typeof AiKeyExport>;

/** Virtual keys. */
export const aiKeys = {
  keys: op("GET /ai/keys", "ai-get", "List virtual keys", {
    in: { ai_project_id: id.optional(), start: instant.optional(), end: instant.optional() },
    out: z.array(AiKey),
  }),
  createKey: op("POST /ai/keys", "ai-post", "Create a virtual key; its value is shown this once", {
    in: {
      description: note,
      name: title,
      tier: text,
      user_bound: flag,
      project_id: id.optional(),
      user: text.optional(),
      ...settings,
      timeouts: KeyTimeouts.optional(),
      metadata: ProvidedMetadata.optional(),
      starts_at: instant.optional(),
      expires_at: instant.optional(),
    },
    out: AiKeyCreated,
    once: ["value"],
    rules: [
      "`llms` and `provider_configs` exclude each other.",
      "Limits and models must be within those of the tier and of the levels above.",
    ],
  }),
  exportKeys: op(
    "GET /ai/keys/export",
    "ai_keys_export-get",
    "Export virtual keys with their settings, without their values",
    {
      in: { ai_project_id: id.optional() },
      out: z.array(AiKeyExport),
      isExtension: true,
    },
  ),
  deleteKey: op("DELETE /ai/keys/{key_id}", "ai_key-delete", "Delete a virtual key"),
  key: op("GET /ai/keys/{key_id}", "ai_key-get", "Read one virtual key", { out: AiKeyDetail }),
  changeKey: op(
    "PATCH /ai/keys/{key_id}",
    "ai_key-patch",
    "Change a virtual key; `null` removes a description, dates, timeouts and metadata",
    {
      in: {
        active: flag.optional(),
        description: note.nullish(),
        name: title.optional(),
        ...settings,
        timeouts: KeyTimeouts.nullish(),
        metadata: ProvidedMetadata.nullish(),
        starts_at: instant.nullish(),
        expires_at: instant.nullish(),
      },
      out: AiKeyBrief,
      rules: [
        "`llms` and `provider_configs` exclude each other.",
        "Limits and models must be within those of the tier and of the levels above.",
      ],
    },
  ),
  rotateKey: op(
    "POST /ai/keys/{key_id}/rotate",
    "ai_key_rotate-post",
    "Give a virtual key a new value, shown this once",
    {
      in: { overlap: z.int().min(0).max(31_622_400_000).optional() },
      out: AiKeyCreated,
      once: ["value"],
      isExtension: true,
    },
  ),
  assignKey: op(
    "PATCH /ai/keys/{key_id}/assignments",
    "ai_key_assignments-patch",
    "Move a virtual key to a project or a user",
    {
      in: { project_id: id.optional(), user_id: id.optional() },
      rules: ["`project_id` is required unless `user_id` is sent."],
    },
  ),
  keyCost: op("GET /ai/keys/{key_id}/cost", "ai_key_cost-get", "Read what a virtual key has cost", {
    in: { start: instant.optional(), end: instant.optional() },
    out: AiKeyCost,
  }),
};
