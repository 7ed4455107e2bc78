import { GatewayError } from "../../../errors.ts";
import type { InputOf } from "../../../operations/calls.ts";
import type { Areas } from "../../../operations/portal/table.ts";
import type { ProviderOffer } from "../../../pipeline/offers.ts";
import { testModels } from "../../../policy/pattern.ts";
import { present } from "../../../policy/record.ts";
import type { ModelFacts } from "../../../ports.ts";
import { formatModelName } from "../../../route/model-name.ts";
import type { AreaTools } from "../../area.ts";
import type { PortalCall } from "../../call.ts";
import type { AreaBackend } from "../../regions.ts";
import { readKeyProject } from "./find.ts";
import { tiersFor } from "./tariff.ts";
import { tenantOf } from "./tenant.ts";

/** The models and providers that a caller's tiers allow. */
export function offersOf(tools: AreaTools) {
  return {
    models: (input, call) => listModels(tools, input, call),
    async providers(_input, call) {
      const patterns = patternsOf(tools, call);
      const isAllowed = testModels(patterns, []);
      const offers = await tools.engine.offers.list();
      const shown = offers.filter(({ name }) => patterns.some((pattern) => concerns(pattern, name)));
      return {
        all_available: shown.length === offers.length,
        providers: shown.map(({ name, verbs, models }) => ({ name, verbs, models: models.filter(isAllowed).length })),
      };
    },
  } satisfies AreaBackend<"ai">;
}

/** What the caller's tiers allow together. */
function patternsOf({ tariff }: AreaTools, { caller }: PortalCall): string[] {
  return tiersFor(tariff, tenantOf(caller.place)).flatMap(({ llms }) => llms);
}

/** True when a pattern may allow a model of the provider. */
function concerns(pattern: string, provider: string): boolean {
  return !pattern.includes("/") || pattern.startsWith(`${provider}/`);
}

async function listModels(tools: AreaTools, input: InputOf<Areas["ai"]["models"]>, call: PortalCall) {
  const { list_all = false, project: projectId, providers } = input;
  const project =
    projectId === undefined ? undefined : await readKeyProject(tools, call, { id: projectId, param: "project" });
  const isInTiers = testModels(patternsOf(tools, call), []);
  const isInProject = testModels(project?.llms ?? ["*"], []);
  const isAvailable = (facts: ModelFacts) => isInTiers(facts) && isInProject(facts);
  const offers = pickOffers(await tools.engine.offers.list(), providers);
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
  const message = `\`${param}\`: there is no provider \`${names[position]?.slice(0, 100)}\`; there are: ${known}.`;
  throw new GatewayError("invalid_request", message, { param });
}

function showModel(facts: ModelFacts, available: boolean): Record<string, unknown> {
  const { rates: _rates, ...known } = facts;
  return { id: formatModelName(facts), available, ...present(known) };
}
