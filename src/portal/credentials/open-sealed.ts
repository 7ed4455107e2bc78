import type { Entropy } from "../../engine/ports/clock.ts";
import type { Records } from "../../engine/ports/records.ts";
import { createSecrets, type Secrets } from "../call/secrets.ts";
import type { CredentialSource } from "./credential-source.ts";
import { createProviderCredentials, type ProviderCredentials } from "./provider-credentials.ts";

/** The options of a portal for what it seals. */
interface SealedOptions {
  readonly secret?: string | undefined;
  readonly previousSecrets?: readonly string[] | undefined;
  readonly credentialSource?: CredentialSource | undefined;
}

/** The encryption of secrets, and the credentials of vendors that are sealed with it. */
export function openSealed(
  { secret, previousSecrets, credentialSource }: SealedOptions,
  { records, entropy }: { readonly records: Records; readonly entropy: Entropy },
): { readonly secrets: Secrets; readonly credentials: ProviderCredentials } {
  const secrets = createSecrets(secret, entropy, previousSecrets);
  return { secrets, credentials: createProviderCredentials({ records, secrets, credentialSource }) };
}
