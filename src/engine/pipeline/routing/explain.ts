import { z } from "zod";
import { Fallbacks, ModelName } from "../../api/common.ts";
import { type ProviderVerb, providerVerbs } from "../../ports/provider.ts";
import { type Checks, checkOptions, oneOf } from "../../runtime/checks.ts";
import { accessOf, accessOfId } from "../call/authenticate.ts";
import { parserOf } from "../call/parse.ts";
import type { Ports } from "../runtime/ports.ts";
import { readBudgetLeft } from "./budget.ts";
import { explainRoute, type Route } from "./route.ts";

/** The inputs of `engine.plan`. */
export interface PlanRequest {
  /** The model as a caller names it, `provider/model` or a name alone. */
  readonly model: string;
  /** The models that follow it, in order. */
  readonly fallbacks?: readonly string[] | undefined;
  /** The tags that rules look at. */
  readonly metadata?: Readonly<Record<string, unknown>> | undefined;
}

/** The verb that a route is planned for. */
export interface PlanOptions {
  /** The provider's method that would be called; `chat` by default. */
  readonly verb?: ProviderVerb | undefined;
}

const readPlan = parserOf(
  z.looseObject({
    model: ModelName,
    fallbacks: Fallbacks.optional(),
    metadata: z.record(z.string(), z.unknown()).optional(),
  }),
);

const checks: Checks<PlanOptions> = { verb: oneOf(...providerVerbs) };

/** The route of the trusted caller's request. */
export function planForCaller(ports: Ports, request: PlanRequest, options: PlanOptions): Route {
  const verb = readVerb(options);
  return explainRoute(ports, { request: readPlan(request), method: verb, access: undefined });
}

/** The route of a request made with a key; throws the refusal that a call of the key would get. */
export async function planForKey(
  ports: Ports,
  key: string | { readonly id: string },
  { request, options }: { readonly request: PlanRequest; readonly options: PlanOptions },
): Promise<Route> {
  const read = readPlan(request);
  const verb = readVerb(options);
  // A key that was lost on its way is not the trusted caller's.
  const access = await (typeof key === "object" && key !== null
    ? accessOfId(ports, key.id)
    : accessOf(ports, String(key)));
  return explainRoute(ports, { request: read, method: verb, access, budgetLeft: await readBudgetLeft(ports, access) });
}

function readVerb(options: PlanOptions): ProviderVerb {
  checkOptions(options, checks, { of: "a plan", code: "invalid_request" });
  return options.verb ?? "chat";
}
