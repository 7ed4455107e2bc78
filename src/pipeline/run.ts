import { announce } from "../events.ts";
import type { Provider } from "../ports.ts";
import { identify } from "./access.ts";
import { askInOrder, beginJourney } from "./ask.ts";
import { readBudgetLeft } from "./budget-left.ts";
import { assertOpen, type Call, openCall, type Question } from "./call.ts";
import { askHedged } from "./hedge.ts";
import type { Ports } from "./ports.ts";
import { type Route, refusalOf, routeFor } from "./route.ts";
import { settleFailure } from "./settle.ts";
import type { Routed, Verb } from "./verb.ts";

/** The one pipeline: who calls, what is asked, who may answer; ask in order, deliver and settle. */
export async function run<Request extends Routed, Answer, Result>(
  ports: Ports,
  verb: Verb<Request, Answer, Result>,
  question: Question,
): Promise<Result> {
  const call = openCall(ports, verb.requestType, question);
  try {
    assertOpen(call);
    const identified = identify(call, question.options.key);
    if (identified) await identified;
    const request = verb.parse(question.input);
    call.asked = { request, bound: (facts) => verb.bound(request, facts) };
    const { access } = call;
    const budgetLeft = ports.routing.asksBudget ? await readBudgetLeft(ports, access) : undefined;
    const route = routeFor(ports, { request, method: verb.method, access, budgetLeft });
    announceRoute(call, route);
    if (route.targets.length === 0) throw refusalOf(route);
    const journey = beginJourney(call, route.targets);
    const ask = (provider: Provider, attempt: Parameters<typeof verb.ask>[2]) =>
      verb.ask(provider as Required<Provider>, request, attempt);
    const hedge = question.options.hedge ?? ports.routing.hedge;
    const served = hedge ? await askHedged(journey, ask, hedge) : await askInOrder(journey, ask);
    return await verb.deliver(journey, served, request);
  } catch (thrown) {
    throw await settleFailure(call, thrown);
  }
}

function announceRoute(call: Call, route: Route): void {
  announce(call.ports.events, "planned", () => ({
    event_id: call.id,
    request_type: call.requestType,
    model_requested: call.modelRequested,
    targets: route.targets.map((target) => target.name),
    skipped: route.skipped.map(({ entry, reason }) => ({ entry, reason })),
    ...(route.rule === undefined ? {} : { rule: route.rule }),
  }));
}
