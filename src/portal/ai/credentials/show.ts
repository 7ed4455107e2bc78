import { present } from "../../../engine/policy/drafts.ts";
import type { AiProviderCredential } from "../../../operations/portal/tenancy/ai/credentials.ts";
import type { StoredProviderCredential } from "../../../operations/records/settings.ts";
import { credentialPlace } from "../../call/sealed-places.ts";
import type { Secrets } from "../../call/secrets.ts";
import type { ConfiguredCredential } from "../../credentials/credential-source.ts";

/** Returns a credential of the configuration as lists show it. */
export function showConfigured({ provider, name, key_end }: ConfiguredCredential): AiProviderCredential {
  return { provider, name, source: "configuration", enabled: true, is_readable: true, ...present({ key_end }) };
}

/** Returns a credential of the portal as lists show it. */
export function showCredential(stored: StoredProviderCredential, secrets: Secrets): AiProviderCredential {
  const { id, provider, name, enabled, kind, base_url, key_end, weight, models, blocked_models } = stored;
  const { created_at, set_at, set_by } = stored;
  const is_readable = secrets.tryOpen(stored.sealed_value, credentialPlace(id)) !== undefined;
  return {
    ...{ id, provider, name, source: "portal", enabled, is_readable },
    ...present({ kind, base_url, key_end, weight }),
    ...present({ models: models && [...models], blocked_models: blocked_models && [...blocked_models] }),
    ...{ created_at, set_at, set_by },
  };
}
