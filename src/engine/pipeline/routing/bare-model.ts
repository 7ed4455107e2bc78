import { GatewayError } from "../../errors.ts";
import { entryFor, type KeyPermissions } from "../../policy/access.ts";
import { listCandidates } from "../../policy/decide.ts";
import type { Provider } from "../../ports/provider.ts";
import { namesModel } from "../../routing/credential.ts";
import type { ModelName } from "../../routing/model-name.ts";
import { listSimilar } from "../../runtime/did-you-mean.ts";
import type { Ports } from "../runtime/ports.ts";

/** A model that is requested without a provider. */
export interface BareModelQuery {
  readonly model: string;
  /** The configured providers that offer the verb. */
  readonly providers: readonly Provider[];
  readonly access: KeyPermissions | undefined;
  /** The provider that the model belongs to in the caller's dialect. */
  readonly vendor: string | undefined;
}

/**
 * The providers that a model without one is sent to, in order (inference-resolved.md, section 7): that of the caller's dialect,
 * else those which the caller may ask and which are known to have the model. A name is never guessed: no other gets the prompt.
 */
export function candidatesFor(ports: Ports, query: BareModelQuery): readonly ModelName[] {
  const { model, access, vendor } = query;
  const allowed = allowedProviders(query);
  if (vendor !== undefined && allowed.some(({ name }) => name === vendor)) return [{ provider: vendor, model }];
  const providers = allowed.filter((provider) => isKnownToHave(ports, query, provider)).map(({ name }) => name);
  if (access) return listCandidates(access, { model, providers, draw: ports.random() });
  return providers.map((provider) => ({ provider, model }));
}

/** Providers whose lists may still show that they have the model. */
export function unreadProviders(ports: Ports, query: BareModelQuery): readonly Provider[] {
  return allowedProviders(query).filter(({ name, listModels }) => listModels && ports.modelLists.isDue(name));
}

function allowedProviders({ model, providers, access }: BareModelQuery): readonly Provider[] {
  if (!access) return providers;
  return providers.filter(({ name }) => entryFor(access, name)?.allows({ provider: name, model }));
}

/** By the key's entry, a credential, the price table or the provider's own list. */
function isKnownToHave(ports: Ports, { model, access }: BareModelQuery, provider: Provider): boolean {
  const { name, credentials } = provider;
  if (access && entryFor(access, name)?.names({ provider: name, model })) return true;
  if (credentials?.some((credential) => namesModel(credential, model))) return true;
  if (ports.accounting.prices.find(name, model, ports.clock.now())) return true;
  return ports.modelLists.namesOf(name)?.has(model) === true;
}

/** The error of a model without a provider that no provider is known to have: `invalid_model`, with the names that are near. */
export function unknownModel(ports: Ports, query: BareModelQuery): GatewayError {
  const owners = knownModels(ports, query);
  const similar = listSimilar(query.model, owners.keys()).map((model) => `\`${owners.get(model)}/${model}\``);
  const hint = similar.length === 0 ? "Write it as `provider/model`." : `Did you mean ${similar.join(" or ")}?`;
  const message = `\`${query.model}\` names no provider, and no provider that you may ask is known to have it. ${hint}`;
  return new GatewayError("invalid_model", message, { param: "model" });
}

/** The known models of the providers that the caller may ask, each with the first of its providers. */
function knownModels(ports: Ports, query: BareModelQuery): ReadonlyMap<string, string> {
  const now = ports.clock.now();
  const owners = new Map<string, string>();
  for (const { name } of query.access ? allowedByEntry(query, query.access) : query.providers) {
    const listed = ports.modelLists.namesOf(name) ?? [];
    const priced = ports.accounting.prices.list(now, name).map(({ model }) => model);
    for (const model of [...listed, ...priced]) if (!owners.has(model)) owners.set(model, name);
  }
  return owners;
}

function allowedByEntry({ providers }: BareModelQuery, access: KeyPermissions): readonly Provider[] {
  return providers.filter(({ name }) => entryFor(access, name) !== undefined);
}
