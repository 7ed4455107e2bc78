import { GatewayError } from "../errors.ts";
import { announce } from "../events.ts";
import type { Provider, ProviderVerb } from "../ports.ts";
import type { ModelName } from "../route/model-name.ts";
import { type Objection, type Plan, planRoute } from "../route/plan.ts";
import { askInOrder } from "./attempt.ts";
import { assertOpen, type Call, openCall, type Ports, type Question } from "./call.ts";
import { settleFailure } from "./settle.ts";
import type { Routed, Verb } from "./verb.ts";

/** The one pipeline: read the request, plan the route, ask in order, deliver and settle. */
export async function run<Request extends Routed, Answer, Result>(
  ports: Ports,
  verb: Verb<Request, Answer, Result>,
  question: Question,
): Promise<Result> {
  const call = openCall(ports, verb.requestType, question);
  try {
    assertOpen(call);
    const request = verb.parse(question.input);
    const plan = planFor(ports, verb.method, request);
    announcePlan(call, plan);
    if (plan.targets.length === 0) throw refusalOf(plan);
    const served = await askInOrder(call, plan, (provider, attempt) =>
      verb.ask(provider as Required<Provider>, request, attempt),
    );
    return await verb.deliver(call, served, request);
  } catch (thrown) {
    throw settleFailure(call, thrown);
  }
}

/** The route of a request among the configured providers that offer the verb. */
export function planFor({ providers }: Ports, method: ProviderVerb, { model, fallbacks }: Routed): Plan {
  return planRoute({ model, fallbacks, objection: (name) => objectionTo(providers, name, method) });
}

function objectionTo(
  providers: ReadonlyMap<string, Provider>,
  { provider: name }: ModelName,
  method: ProviderVerb,
): Objection | undefined {
  const provider = providers.get(name);
  if (!provider) {
    const known = [...providers.keys()].join(", ");
    return { reason: "provider_not_found", message: `No provider \`${name}\` is configured; there are: ${known}.` };
  }
  if (provider[method]) return undefined;
  return { reason: "unsupported_operation", message: `The provider \`${name}\` does not offer ${verbWords[method]}.` };
}

const verbWords = {
  chat: "chat",
  streamChat: "streamed chat",
  embed: "embeddings",
  rerank: "rerank",
  decide: "decisions",
  listModels: "a list of models",
} as const satisfies Record<ProviderVerb, string>;

/** With nobody to ask, the first reason is the error. */
function refusalOf(plan: Plan): GatewayError {
  const first = plan.skipped[0];
  const param = first?.reason === "invalid_model" ? "model" : undefined;
  return new GatewayError(first?.reason ?? "internal", first?.message ?? "The plan is empty.", { param });
}

function announcePlan(call: Call, plan: Plan): void {
  announce(call.ports.events, "planned", () => ({
    event_id: call.id,
    request_type: call.requestType,
    model_requested: call.modelRequested,
    targets: plan.targets.map((target) => target.name),
    skipped: plan.skipped.map(({ entry, reason }) => ({ entry, reason })),
  }));
}
