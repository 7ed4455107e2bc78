import type { Model } from "../api/models.ts";
import { type GatewayError, toGatewayError } from "../errors.ts";
import { entryFor } from "../policy/access.ts";
import { decideTarget } from "../policy/decide.ts";
import type { Provider } from "../ports.ts";
import { chooseCredentials } from "../route/credential.ts";
import { endAttempt, tryOnce } from "./attempt.ts";
import type { Call } from "./call.ts";
import { describeFacts } from "./facts.ts";

/** What one provider said: its models, or why there are none. */
export type Listing =
  | { readonly models: readonly Model[] }
  | { readonly provider: string; readonly error: GatewayError };

/** Asks one provider for its models, and shows those that the caller may ask, with what the catalogue knows of them. */
export async function askProvider(call: Call, provider: Provider): Promise<Listing> {
  const { name } = provider;
  try {
    const target = { provider: name, model: "", name };
    const approach = { target, tries: 1, credential: credentialFor(call, provider), deployment: "" };
    const { attempt, answer } = await tryOnce(call, approach, (asked, attempt) =>
      (asked as Required<Provider>).listModels(attempt),
    );
    endAttempt(call, attempt);
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
  const facts = ports.books.prices.find(provider, model.id, startedAt);
  return { ...(facts ? describeFacts(facts) : {}), ...model, id: `${provider}/${model.id}` };
}
