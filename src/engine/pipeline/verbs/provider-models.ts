import type { Model } from "../../api/models.ts";
import { type GatewayError, toGatewayError } from "../../errors.ts";
import { entryFor } from "../../policy/access.ts";
import { decideTarget } from "../../policy/decide.ts";
import type { Provider } from "../../ports/provider.ts";
import { chooseCredentials } from "../../routing/credential.ts";
import { openTargetRun } from "../attempts/target-run.ts";
import { askOnce } from "../attempts/try-once.ts";
import type { Call } from "../call/call.ts";
import { describeFacts, fillIn } from "./model-facts.ts";

/** The result of one provider: its models, or why there are none. */
export type ProviderModels =
  | { readonly models: readonly Model[] }
  | { readonly provider: string; readonly error: GatewayError };

/**
 * Asks one provider for its models, and returns those that the caller may ask, with what the catalogue knows of them. `fromMemory`: a list
 * of the last five minutes does as well.
 */
export async function askProvider(call: Call, provider: Provider, fromMemory = false): Promise<ProviderModels> {
  const { name } = provider;
  const { listedModels } = call.ports;
  const credentials = credentialsFor(call, provider);
  const ids = credentials.map(({ id }) => id);
  try {
    const remembered = fromMemory ? listedModels.find(name, ids) : undefined;
    const listed = remembered ?? (await askForList(call, provider, credentials));
    if (!remembered) listedModels.note(name, ids, listed);
    const shown = listed.filter(({ id }) => isShown(call, name, id));
    return { models: await Promise.all(shown.map((model) => describeModel(call, provider, model))) };
  } catch (thrown) {
    return { provider: name, error: toGatewayError(thrown) };
  }
}

type WeightedCredential = Pick<NonNullable<Provider["credentials"]>[number], "id" | "weight">;

async function askForList(
  call: Call,
  { name }: Provider,
  allowed: readonly WeightedCredential[],
): Promise<readonly Model[]> {
  const run = openTargetRun(call, { provider: name, model: "", name });
  Object.assign(run, { tryNumber: 1, credential: chooseCredential(call, allowed) });
  const { answer } = await askOnce(run, (facts, attempt) => (facts as Required<Provider>).listModels(attempt));
  return answer;
}

function credentialsFor({ access }: Call, { name, credentials = [] }: Provider): readonly WeightedCredential[] {
  const allows = access && entryFor(access, name)?.allowsCredential;
  return credentials.filter(({ id }) => !allows || allows(id)).map(({ id, weight }) => ({ id, weight }));
}

function chooseCredential({ ports, options }: Call, allowed: readonly WeightedCredential[]): string | undefined {
  const { random, clock } = ports;
  const question = { model: "", draw: random(), now: clock.now(), session: options.session };
  return chooseCredentials(allowed, question)[0]?.credential.id;
}

function isShown({ access }: Call, provider: string, model: string): boolean {
  return !access || decideTarget(access, { provider, model }).kind === "grant";
}

/** The model as the gateway lists it: its full name, and what the catalogue knows where the provider's own list is silent. */
async function describeModel({ ports, startedAt }: Call, provider: Provider, model: Model): Promise<Model> {
  const { prices } = ports.accounting;
  const { name } = provider;
  const facts = prices.find(name, model.id, startedAt);
  const described = facts && (await prices.describe?.(name, facts.model));
  const known = facts ? { ...describeFacts(facts, provider), ...described } : {};
  return { ...fillIn(known, model), id: `${name}/${model.id}` };
}
