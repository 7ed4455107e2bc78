import type { ProviderCredential } from "../../portal/credentials/credential-source.ts";
import { misconfigured } from "../config/references.ts";
import type { CredentialConfig } from "../config/shape.ts";
import { onlyPresent } from "../present-options.ts";
import { readDeclared } from "./declared.ts";
import type { ProviderOrder, ProviderSource } from "./source.ts";

/** What a configuration makes its providers of. */
export interface ProviderParts {
  readonly orders: readonly ProviderOrder[];
  /** Providers that came as objects. */
  readonly objects: readonly ProviderSource[];
}

/** The id that the only key of a provider has. */
export const lonelyId = "default";

/**
 * Returns the orders with the credentials of the portal: in addition to those of a configured provider, or as a provider of their own. Throws
 * `invalid_configuration` naming the field for what cannot be used.
 */
export function addCredentials(
  { orders, objects }: ProviderParts,
  credentials: readonly ProviderCredential[],
): readonly ProviderOrder[] {
  const byProvider = new Map<string, ProviderCredential[]>();
  for (const credential of credentials) {
    if (objects.some(({ name }) => name === credential.provider))
      throw misconfigured("provider", "is an object of the configuration, which takes no credentials of the portal");
    byProvider.set(credential.provider, [...(byProvider.get(credential.provider) ?? []), credential]);
  }
  const known = new Set(orders.map(({ name }) => name));
  const added = [...byProvider].filter(([name]) => !known.has(name));
  return [
    ...orders.map((order) => extend(order, byProvider.get(order.name) ?? [])),
    ...added.map(([name, own]) => declare(name, own)),
  ];
}

/** A configured provider with more credentials; its only key is one of them. */
function extend(order: ProviderOrder, added: readonly ProviderCredential[]): ProviderOrder {
  if (added.length === 0) return order;
  const { kind, settings } = order;
  if (!kind.needsKey) throw misconfigured("provider", `\`${order.name}\` takes no credentials`);
  if (added.some(({ base_url }) => base_url !== undefined))
    throw misconfigured("base_url", `is that of the configuration for \`${order.name}\`: leave it out`);
  const { apiKey, credentials = [], ...others } = settings;
  const own = apiKey === undefined ? credentials : [{ id: lonelyId, apiKey }];
  const all = [...own, ...added.map(toConfig)];
  refuseRepeated(all);
  return { ...order, settings: { ...others, credentials: all } };
}

/** A provider that only the portal knows. Its kind and address are those of its first credential that has some. */
function declare(name: string, credentials: readonly ProviderCredential[]): ProviderOrder {
  const kind = credentials.find((one) => one.kind !== undefined)?.kind;
  const baseUrl = credentials.find((one) => one.base_url !== undefined)?.base_url;
  const all = credentials.map(toConfig);
  refuseRepeated(all);
  const settings = { ...onlyPresent({ kind, baseUrl }), credentials: all };
  const [order] = readDeclared({ [name]: settings }, "the portal", {}).orders;
  return order as ProviderOrder; // one entry is one order
}

function toConfig({ name, value, weight, models, blocked_models }: ProviderCredential): CredentialConfig {
  return { id: name, apiKey: value, ...onlyPresent({ weight, models, blockedModels: blocked_models }) };
}

function refuseRepeated(credentials: readonly CredentialConfig[]): void {
  const ids = credentials.map(({ id }) => id);
  const repeated = ids.find((id, at) => ids.indexOf(id) < at);
  if (repeated !== undefined)
    throw misconfigured("name", `\`${repeated}\` is that of another credential of the provider`);
}
