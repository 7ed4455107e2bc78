import type {
  ConfiguredCredential,
  CredentialSource,
  ProviderCredential,
} from "../../portal/credentials/credential-source.ts";
import type { Gathered } from "../gather.ts";
import { onlyPresent } from "../present-options.ts";
import { lonelyId } from "../providers/portal-credentials.ts";
import { endOf, type ProviderOrder } from "../providers/source.ts";
import { testCredential } from "../providers/test-credential.ts";

/** The configuration that an engine runs with, as far as its credentials go. */
interface CredentialHolder {
  readonly opened: Pick<Gathered, "parts" | "network">;
  takeCredentials(credentials: readonly ProviderCredential[]): Promise<void>;
}

/** The credentials of a running gateway, for its portal. */
export function credentialSourceOf(configuration: CredentialHolder, now: () => number): CredentialSource {
  return {
    list: () => configuration.opened.parts.orders.flatMap(listCredentials),
    take: (credentials) => configuration.takeCredentials(credentials),
    test: (credential) => testCredential({ ...configuration.opened, now }, credential),
  };
}

function listCredentials({ name: provider, settings }: ProviderOrder): readonly ConfiguredCredential[] {
  const { apiKey, credentials = [] } = settings;
  const all = apiKey === undefined ? credentials : [{ id: lonelyId, apiKey }];
  return all.map((each) => ({ provider, name: each.id, ...onlyPresent({ key_end: endOf(each.apiKey) }) }));
}
