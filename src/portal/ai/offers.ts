import { GatewayError } from "../../engine/errors.ts";
import type { ProviderOffer } from "../../engine/pipeline/verbs/offerings.ts";
import { present } from "../../engine/policy/drafts.ts";
import { testModels } from "../../engine/policy/model-pattern.ts";
import type { ModelFacts } from "../../engine/ports/prices.ts";
import { formatModelName } from "../../engine/routing/model-name.ts";
import type { InputOf } from "../../operations/calls.ts";
import type { Areas } from "../../operations/portal/table.ts";
import type { AiOfferedModel } from "../../operations/portal/tenancy/ai/offers.ts";
import type { PortalDeps } from "../area.ts";
import type { PortalCall } from "../call/call.ts";
import type { AreaBackend } from "../regions.ts";
import { tiersFor } from "../tariff/tariff.ts";
import { tenantOf } from "../tenancy/tenant.ts";
import { readKeyProject } from "./find.ts";
import { playgroundOf } from "./playground/playground.ts";

/** The models and providers that a caller's tiers allow, and chats in the console to try them. */
export function offersOf(deps: PortalDeps) {
  return {
    ...playgroundOf(deps),
    models: (input, call) => listModels(deps, input, call),
    async providers(_input, call) {
      const patterns = patternsOf(deps, call);
      const isAllowed = testModels(patterns, [], deps.engine.offers.identify);
      const offers = await deps.engine.offers.list();
      const shown = offers.filter(({ name }) => patterns.some((pattern) => concerns(pattern, name)));
      return {
        all_available: shown.length === offers.length,
        providers: shown.map(({ name, verbs, models }) => ({
          name,
          verbs: [...verbs],
          models: models.filter(isAllowed).length,
        })),
      };
    },
  } satisfies AreaBackend<"ai">;
}

/** The union of what the caller's tiers allow. */
function patternsOf({ tariff }: PortalDeps, { caller }: PortalCall): string[] {
  return tiersFor(tariff, tenantOf(caller.scope)).flatMap(({ llms }) => llms);
}

/** True when a pattern may allow a model of the provider. */
function concerns(pattern: string, provider: string): boolean {
  return !pattern.includes("/") || pattern.startsWith(`${provider}/`);
}

async function listModels(deps: PortalDeps, input: InputOf<Areas["ai"]["models"]>, call: PortalCall) {
  const { list_all = false, project: projectId, providers } = input;
  const project =
    projectId === undefined ? undefined : await readKeyProject(deps, call, { id: projectId, param: "project" });
  const { identify } = deps.engine.offers;
  const isInTiers = testModels(patternsOf(deps, call), [], identify);
  const isInProject = testModels(project?.llms ?? ["*"], [], identify);
  const isAvailable = (facts: ModelFacts) => isInTiers(facts) && isInProject(facts);
  const offers = pickOffers(await deps.engine.offers.list(), providers);
  const models = offers.flatMap((offer) => offer.models);
  return {
    all_available: models.every(isAvailable),
    llms: models.filter((facts) => list_all || isAvailable(facts)).map((facts) => showModel(facts, isAvailable(facts))),
  };
}

function pickOffers(offers: readonly ProviderOffer[], names: readonly string[] | undefined): readonly ProviderOffer[] {
  if (names === undefined) return offers;
  const offered = new Set(offers.map(({ name }) => name));
  const position = names.findIndex((name) => !offered.has(name));
  if (position < 0) return offers.filter(({ name }) => names.includes(name));
  const known = [...offered].join(", ");
  const param = `providers.${position}`;
  const message = `\`${param}\`: unknown provider \`${names[position]?.slice(0, 100)}\`. Available providers: ${known}.`;
  throw new GatewayError("invalid_request", message, { param });
}

function showModel(facts: ModelFacts, available: boolean): AiOfferedModel {
  const { rates: _rates, provider, model, input_modalities, output_modalities, supported_parameters, ...known } = facts;
  const lists = { input_modalities, output_modalities, supported_parameters };
  const named = Object.entries(present(lists)).map(([name, words]) => [name, [...words]] as const);
  const names = { id: formatModelName(facts), available, provider, model };
  return { ...names, ...present(known), ...Object.fromEntries(named) };
}
