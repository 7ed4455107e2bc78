import { isDeepStrictEqual } from "node:util";
import { GatewayError, isGatewayError } from "../../engine/errors.ts";
import type { Records } from "../../engine/ports/records.ts";
import type { StoredProviderCredential } from "../../operations/records/settings.ts";
import { credentialPlace } from "../call/sealed-places.ts";
import type { Secrets } from "../call/secrets.ts";
import { readAll } from "../tenancy/record-access.ts";
import type { CredentialSource, ProviderCredential } from "./credential-source.ts";

/** The credentials that are set in the portal, as the engine of this process calls vendors with them. */
export interface ProviderCredentials {
  /** Has the engine call with what the store holds now, whichever process wrote it. */
  follow(): Promise<void>;
  /** Has the engine call with other credentials. Throws `invalid_request` naming the field for those that cannot be used. */
  take(stored: readonly StoredProviderCredential[]): Promise<void>;
  /** The source; throws `not_implemented` where the portal was opened without one. */
  readonly source: CredentialSource;
}

/** What the credentials are read from. */
interface CredentialDeps {
  readonly records: Records;
  readonly secrets: Secrets;
  readonly credentialSource: CredentialSource | undefined;
}

/** Opens the credentials over the store; nothing is read until the first {@link ProviderCredentials.follow}. */
export function createProviderCredentials({ records, secrets, credentialSource }: CredentialDeps): ProviderCredentials {
  let applied: readonly ProviderCredential[] = [];
  const apply = async (stored: readonly StoredProviderCredential[]) => {
    const credentials = stored.flatMap((each) => unseal(each, secrets));
    if (isDeepStrictEqual(credentials, applied)) return;
    await credentialSource?.take(credentials);
    applied = credentials;
  };
  return {
    async follow() {
      if (credentialSource) await apply(await readAll(records, "provider_credential"));
    },
    take: (stored) =>
      apply(stored).catch((thrown) => {
        throw asInvalidRequest(thrown);
      }),
    get source() {
      if (credentialSource) return credentialSource;
      const message =
        "The credentials of this gateway's providers are those of its code or configuration: its portal was opened without a source of credentials.";
      throw new GatewayError("not_implemented", message);
    },
  };
}

/** An enabled credential; nothing for one that cannot be opened, as after a change of the portal's secret. */
function unseal(
  {
    id,
    provider,
    kind,
    base_url,
    name,
    sealed_value,
    enabled,
    weight,
    models,
    blocked_models,
  }: StoredProviderCredential,
  secrets: Secrets,
): readonly ProviderCredential[] {
  const value = enabled ? secrets.tryOpen(sealed_value, credentialPlace(id)) : undefined;
  return value === undefined ? [] : [{ provider, kind, base_url, name, value, weight, models, blocked_models }];
}

/** A credential that cannot be used is a fault of the request. The configuration writes its fields in another way. */
export function asInvalidRequest(thrown: unknown): unknown {
  if (!isGatewayError(thrown) || thrown.code !== "invalid_configuration") return thrown;
  const field = thrown.param?.split(".").at(-1) ?? "provider";
  const param = fields[field] ?? "provider";
  return new GatewayError("invalid_request", `\`${param}\`: ${thrown.message}`, { param, cause: thrown });
}

const fields: Readonly<Record<string, string>> = {
  kind: "kind",
  baseUrl: "base_url",
  base_url: "base_url",
  apiKey: "value",
  name: "name",
  id: "name",
  weight: "weight",
  models: "models",
  blockedModels: "blocked_models",
};
