import { GatewayError } from "../../src/engine/errors.ts";
import type { CredentialSettings, Provider, ProviderCall } from "../../src/engine/ports/provider.ts";
import type { Transport } from "../../src/engine/ports/transport.ts";
import { makeTransport, requireKey } from "./http/target.ts";

/** A key of a vendor, and what it is good for. */
export interface ApiCredential extends CredentialSettings {
  readonly apiKey: string;
}

/** The keys of a vendor: one, or several to choose from. */
export interface KeyOptions {
  /** The only key; in its place `credentials` may be given. */
  readonly apiKey?: string | undefined;
  /** Several keys, with weights, models and aliases; the engine chooses one per request and changes it when the vendor refuses it. */
  readonly credentials?: readonly ApiCredential[] | undefined;
}

/** What is the same for all keys of a vendor. */
interface Shared {
  readonly name: string;
  readonly transport?: Transport | undefined;
  readonly fetch?: typeof fetch | undefined;
}

/** Makes the provider that signs with one key. */
type Make = (apiKey: string, transport: Transport | undefined) => Provider;

/**
 * The provider over one key or several; each key has a client of its own, and all share one transport. Throws
 * `invalid_configuration` naming `apiKey` or the field of `credentials` that is wrong.
 */
export function overCredentials(keys: KeyOptions, shared: Shared, make: Make): Provider {
  const { apiKey, credentials } = keys;
  if (credentials === undefined) {
    return { ...make(requireKey(apiKey, shared.name), shared.transport), credentials: [{ id: "default" }] };
  }
  checkCredentials(keys, shared.name);
  const own = shared.transport ? undefined : makeTransport(shared);
  const transport = shared.transport ?? own;
  const signed = new Map(credentials.map((credential) => [credential.id, make(credential.apiKey.trim(), transport)]));
  const [first] = [...signed.values()];
  const pick = (call: ProviderCall) => signed.get(call.credential ?? "") ?? (first as Provider);
  const settings = credentials.map(({ apiKey: _secret, ...rest }) => rest);
  return { ...delegate(first as Provider, pick), credentials: settings, close: async () => own?.close() };
}

/** What a provider states of its vendor beside its methods. */
type Statement =
  | "reportsSearches"
  | "billing"
  | "takesCustomTools"
  | "speaksResponses"
  | "worksInBackground"
  | "decides";

/** The methods that the providers have, each handed to the one that signs with the call's credential. */
function delegate(sample: Provider, pick: (call: ProviderCall) => Provider): Provider {
  const own = (call: ProviderCall) => pick(call) as Required<Provider>;
  const all: Required<Omit<Provider, "name" | "credentials" | "timeouts" | "close" | Statement>> = {
    chat: (request, call) => own(call).chat(request, call),
    streamChat: (request, call) => own(call).streamChat(request, call),
    continueChat: (request, call) => own(call).continueChat(request, call),
    countTokens: (request, call) => own(call).countTokens(request, call),
    embed: (request, call) => own(call).embed(request, call),
    rerank: (request, call) => own(call).rerank(request, call),
    decide: (request, call) => own(call).decide(request, call),
    listModels: (call) => own(call).listModels(call),
    storedResponse: (request, call) => own(call).storedResponse(request, call),
  };
  const offered = Object.entries(all).filter(([name]) => name in sample);
  const { name, reportsSearches, billing, takesCustomTools, speaksResponses, worksInBackground, decides } = sample;
  const stated = {
    ...(takesCustomTools && { takesCustomTools }),
    ...(speaksResponses && { speaksResponses }),
    ...(worksInBackground && { worksInBackground }),
    ...(decides && { decides }),
  };
  return { name, reportsSearches, billing, ...stated, ...Object.fromEntries(offered) };
}

function checkCredentials({ apiKey, credentials = [] }: KeyOptions, provider: string): void {
  const refuse = (param: string, problem: string): never => {
    throw new GatewayError("invalid_configuration", `\`${param}\` of ${provider} ${problem}.`, { param, provider });
  };
  if (apiKey !== undefined) refuse("apiKey", "cannot be combined with `credentials`");
  if (credentials.length === 0) refuse("credentials", "is empty");
  const ids = new Set<string>();
  for (const [position, credential] of credentials.entries()) {
    const at = `credentials.${position}`;
    if (typeof credential.id !== "string" || credential.id === "") refuse(`${at}.id`, "is missing");
    if (ids.has(credential.id)) refuse(`${at}.id`, `is there twice: \`${credential.id}\``);
    if (typeof credential.apiKey !== "string" || credential.apiKey.trim() === "") refuse(`${at}.apiKey`, "is empty");
    ids.add(credential.id);
  }
}
