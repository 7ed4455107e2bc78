import { entryFor, type KeyPermissions } from "../../policy/access.ts";
import { decideTarget } from "../../policy/decide.ts";
import type { Provider, ProviderVerb } from "../../ports/provider.ts";
import { isEligible } from "../../routing/credential.ts";
import type { Identify } from "../../routing/model-identity.ts";
import type { ModelName } from "../../routing/model-name.ts";
import type { Objection } from "../../routing/plan.ts";
import { isExcluded, type SteeredRequest } from "../../routing/rules.ts";
import type { Ports } from "../runtime/ports.ts";
import { unconfiguredMessage } from "./unconfigured.ts";

/** A candidate target of a request. */
export interface ConsideredTarget {
  readonly name: ModelName;
  readonly steered: SteeredRequest;
}

/** Why a target cannot be asked: not configured, not allowed, verb not offered, excluded by a rule, no credential; else `undefined`. */
export function objectionTo(
  ports: Ports,
  { method, access }: { readonly method: ProviderVerb; readonly access: KeyPermissions | undefined },
  { name, steered }: ConsideredTarget,
): Objection | undefined {
  const provider = ports.providers.get(name.provider);
  if (!provider) return { reason: "provider_not_found", message: unconfiguredMessage(ports, name.provider) };
  const { identify } = ports.accounting;
  const decision = access && decideTarget(access, name);
  if (decision?.kind === "refusal") return decision;
  if (!offers(provider, method)) {
    const message = `The provider \`${name.provider}\` does not offer ${verbWords[method]}.`;
    return { reason: "unsupported_operation", message };
  }
  if (isExcluded(steered, name.provider)) {
    return {
      reason: "provider_blocked",
      message: `The rule \`${steered.rule}\` excludes the provider \`${name.provider}\`.`,
    };
  }
  return hasCredential(provider, name, { access, identify }) ? undefined : noCredential(name);
}

/** Verbs that another one can answer. */
const through: { readonly [Verb in ProviderVerb]?: readonly ProviderVerb[] } = {
  chat: ["streamChat"],
  streamChat: ["chat"],
  decide: ["chat", "streamChat"],
};

/** True when a provider offers a verb, or another one that answers it. */
export function offers(provider: Provider, method: ProviderVerb): boolean {
  if (provider[method] !== undefined) return true;
  return through[method]?.some((other) => provider[other] !== undefined) ?? false;
}

function hasCredential(
  { credentials }: Provider,
  { provider, model }: ModelName,
  { access, identify }: { readonly access: KeyPermissions | undefined; readonly identify: Identify },
): boolean {
  if (!credentials) return true;
  const allows = access && entryFor(access, provider)?.allowsCredential;
  return credentials.some(
    (credential) => isEligible(credential, model, { provider, identify }) && (!allows || allows(credential.id)),
  );
}

function noCredential({ provider, model }: ModelName): Objection {
  return { reason: "no_eligible_keys", message: `No credential of \`${provider}\` may be used for \`${model}\`.` };
}

const verbWords = {
  chat: "chat",
  streamChat: "streamed chat",
  embed: "embeddings",
  rerank: "rerank",
  decide: "decisions",
  listModels: "a list of models",
} as const satisfies Record<ProviderVerb, string>;
