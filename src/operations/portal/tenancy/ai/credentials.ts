import { z } from "zod";
import { op } from "../../../define.ts";
import { flag, instant, secret, text, title } from "../../fields.ts";

const word = /^[a-z0-9][a-z0-9._-]{0,63}$/;
const wordRule = "must have lower-case letters, digits, dots, dashes and underscores only, 64 at most";
const providerName = z.string().regex(word, wordRule);
const credentialName = z.string().regex(word, wordRule);
const address = z.url({ protocol: /^https?$/, error: "must be an http or https address" }).max(2_000);
const weight = z.number().min(0).max(1_000_000);
const patterns = z.array(text).max(1_000);

/** A credential of a provider, without its value. Those of the configuration have no `id` and cannot be changed here. */
export const AiProviderCredential = z.object({
  id: z.string().optional(),
  provider: z.string(),
  name: z.string(),
  source: z.enum(["configuration", "portal"]),
  enabled: flag,
  /** False for one whose value cannot be read since the secret of the portal is another one: set the value again. */
  is_readable: flag,
  kind: z.string().optional(),
  base_url: z.string().optional(),
  /** The last characters of the value; absent for a short one. */
  key_end: z.string().optional(),
  /** The share of the requests; 1 unless given, 0 is a last resort. */
  weight: z.number().optional(),
  /** Models or patterns that it is good for; all, when absent. */
  models: z.array(z.string()).optional(),
  blocked_models: z.array(z.string()).optional(),
  created_at: instant.optional(),
  /** When the value was set last, and the id of the user who set it. */
  set_at: instant.optional(),
  set_by: z.string().optional(),
});
export type AiProviderCredential = z.output<typeof AiProviderCredential>;

/** The outcome of a test: `untestable` where the vendor lists no models, so that only a paid call could tell. */
const AiCredentialTest = z.object({
  outcome: z.enum(["valid", "refused", "failed", "untestable"]),
  /** The number of models that the vendor lists for it. */
  models: z.int().optional(),
  message: z.string().optional(),
});

const isExtension = true;

/** The credentials by which the gateway calls vendors. They belong to the provider of the portal. */
export const aiCredentials = {
  credentials: op(
    "GET /ai/credentials",
    "ai_credentials-get",
    "List the credentials of providers, without their values",
    {
      out: z.array(AiProviderCredential),
      isExtension,
    },
  ),
  addCredential: op("POST /ai/credentials", "ai_credentials-post", "Add a credential of a provider", {
    in: {
      provider: providerName,
      name: credentialName,
      value: secret,
      kind: title.optional(),
      base_url: address.optional(),
      weight: weight.optional(),
      models: patterns.optional(),
      blocked_models: patterns.optional(),
    },
    out: AiProviderCredential,
    isExtension,
  }),
  changeCredential: op(
    "PATCH /ai/credentials/{credential_id}",
    "ai_credential-patch",
    "Give a credential a new value, or change what it is used for; `null` removes a weight and models",
    {
      in: {
        value: secret.optional(),
        enabled: flag.optional(),
        weight: weight.nullish(),
        models: patterns.nullish(),
        blocked_models: patterns.nullish(),
      },
      out: AiProviderCredential,
      isExtension,
    },
  ),
  testCredential: op(
    "POST /ai/credentials/{credential_id}/test",
    "ai_credential_test-post",
    "Ask the vendor for its models with a credential",
    { out: AiCredentialTest, isExtension },
  ),
  removeCredential: op("DELETE /ai/credentials/{credential_id}", "ai_credential-delete", "Remove a credential", {
    isExtension,
  }),
};
