import { announce } from "../events.ts";
import type { MaybePromise } from "../ports/maybe-promise.ts";
import type { ProviderVerb } from "../ports.ts";
import { readBudgetLeft } from "./budget-left.ts";
import { type Call, eventOf } from "./call.ts";
import { type Route, type RouteQuery, refusalOf, routeFor } from "./route.ts";
import { untilOver } from "./until-over.ts";

/** Makes the route of a call and tells of it; throws the first reason when nobody may answer. */
export function chartRoute(call: Call, method: ProviderVerb, request: RouteQuery["request"]): MaybePromise<Route> {
  const { ports, access } = call;
  const chart = (budgetLeft: number | undefined): Route => {
    const route = routeFor(ports, { request, method, access, budgetLeft });
    announceRoute(call, route);
    if (route.targets.length === 0) throw refusalOf(route);
    return route;
  };
  return ports.routing.asksBudget ? untilOver(call, readBudgetLeft(ports, access)).then(chart) : chart(undefined);
}

function announceRoute(call: Call, route: Route): void {
  announce(call.ports.events, "planned", () => ({
    ...eventOf(call),
    targets: route.targets.map((target) => target.name),
    skipped: route.skipped.map(({ entry, reason }) => ({ entry, reason })),
    ...(route.rule === undefined ? {} : { rule: route.rule }),
  }));
}
