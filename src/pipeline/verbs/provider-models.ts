import type { Model } from "../../api/models.ts";
import { type GatewayError, toGatewayError } from "../../errors.ts";
import { entryFor } from "../../policy/access.ts";
import { decideTarget } from "../../policy/decide.ts";
import type { Provider } from "../../ports/provider.ts";
import { chooseCredentials } from "../../routing/credential.ts";
import { openTargetRun } from "../attempts/target-run.ts";
import { askOnce } from "../attempts/try-once.ts";
import type { Call } from "../call/call.ts";
import { describeFacts } from "./model-facts.ts";

/** The result of one provider: its models, or why there are none. */
export type ProviderModels =
  | { readonly models: readonly Model[] }
  | { readonly provider: string; readonly error: GatewayError };

/** Asks one provider for its models, and returns those that the caller may ask, with the catalogue's facts. */
export async function askProvider(call: Call, provider: Provider): Promise<ProviderModels> {
  const { name } = provider;
  try {
    const target = { provider: name, model: "", name };
    const run = openTargetRun(call, target);
    Object.assign(run, { tryNumber: 1, credential: credentialFor(call, provider) });
    const { answer } = await askOnce(run, (facts, attempt) => (facts as Required<Provider>).listModels(attempt));
    return {
      models: answer.filter(({ id }) => isShown(call, name, id)).map((model) => describeModel(call, name, model)),
    };
  } catch (thrown) {
    return { provider: name, error: toGatewayError(thrown) };
  }
}

function credentialFor({ ports, options, access }: Call, { name, credentials = [] }: Provider): string | undefined {
  const allows = access && entryFor(access, name)?.allowsCredential;
  const allowed = credentials.filter(({ id }) => !allows || allows(id)).map(({ id, weight }) => ({ id, weight }));
  const { random, clock } = ports;
  const question = { model: "", draw: random(), now: clock.now(), session: options.session };
  return chooseCredentials(allowed, question)[0]?.credential.id;
}

function isShown({ access }: Call, provider: string, model: string): boolean {
  return !access || decideTarget(access, { provider, model }).kind === "grant";
}

/** The model as the gateway lists it: its full name, and what the catalogue knows where the provider's own list is silent. */
function describeModel({ ports, startedAt }: Call, provider: string, model: Model): Model {
  const facts = ports.accounting.prices.find(provider, model.id, startedAt);
  return { ...(facts ? describeFacts(facts) : {}), ...model, id: `${provider}/${model.id}` };
}
