import { emit } from "../../events.ts";
import type { ProviderVerb } from "../../ports/provider.ts";
import type { Target } from "../../routing/plan.ts";
import { type Call, eventOf } from "../call/call.ts";
import { withinDeadline } from "../call/within-deadline.ts";
import { readBudgetLeft } from "./budget.ts";
import { keepAbleTargets, readResponsesRequest } from "./held.ts";
import { type Route, type RouteQuery, refusalOf, routeFor, unreadListsFor } from "./route.ts";

/** The route of a call, which is emitted as `planned`; throws the first reason when no target is eligible. */
export async function resolveRoute<Request extends RouteQuery["request"]>(
  call: Call,
  by: ProviderVerb | ((call: Call, request: Request) => Promise<Route>),
  request: Request,
): Promise<Route> {
  if (call.options.responses) await readResponsesRequest(call);
  const route =
    typeof by === "function" ? await by(call, request) : keepAbleTargets(call, await routeOf(call, by, request));
  call.plan = route;
  emitPlanned(call, route);
  if (route.targets.length === 0) throw refusalOf(route);
  return route;
}

/**
 * The route of a call, which may have no targets. The providers' own lists of models are read first where nothing else shows who
 * has a model that names no provider.
 */
async function routeOf(call: Call, method: ProviderVerb, request: RouteQuery["request"]): Promise<Route> {
  const { ports, access, options } = call;
  const budgetLeft = ports.routing.asksBudget ? await withinDeadline(call, readBudgetLeft(ports, access)) : undefined;
  const query: RouteQuery = { request, method, access, budgetLeft, vendor: options.vendor };
  const route = routeFor(ports, query);
  if (route.targets.length > 0) return route;
  const unread = unreadListsFor(ports, query);
  if (unread.length === 0) return route;
  await withinDeadline(call, ports.modelLists.read(unread));
  return routeFor(ports, query);
}

function emitPlanned(call: Call, route: Route): void {
  emit(call.ports.events, "planned", () => ({
    ...eventOf(call),
    targets: route.targets.map((target) => target.name),
    skipped: route.skipped.map(({ entry, reason }) => ({ entry, reason })),
    ...(route.rule === undefined ? {} : { rule: route.rule }),
  }));
}

/** The first target to ask; throws the first reason when no target is eligible. Emits no event. */
export async function firstTarget(call: Call, method: ProviderVerb, request: RouteQuery["request"]): Promise<Target> {
  const route = await routeOf(call, method, request);
  const [target] = route.targets;
  if (!target) throw refusalOf(route);
  return target;
}
