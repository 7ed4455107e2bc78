import type { Model } from "../engine/api/models.ts";
import { GatewayError, isGatewayError } from "../engine/errors.ts";
import { callOptions, type HttpContext } from "./context.ts";
import type { RequestContext } from "./response/request-context.ts";

/** All models that the caller may see. */
export async function listAll(request: RequestContext, context: HttpContext): Promise<readonly Model[]> {
  request.requestType = "list_models";
  const { data } = await context.engine.models({}, callOptions(request, context));
  return data;
}

/** Refusals of a list that mean, of one model, that there is none for this caller. */
const unlisted: ReadonlySet<string> = new Set(["provider_not_found", "provider_blocked"]);

/**
 * The one model of this name, by the list of the provider that the name says; no other one is asked. Throws that provider's failure, or
 * `not_found`, which does not repeat the name: it may be a key that was sent in the wrong place.
 */
export async function findModel(name: string, request: RequestContext, context: HttpContext): Promise<Model> {
  request.model = name;
  request.requestType = "list_models";
  const slash = name.indexOf("/");
  const models = slash > 0 ? await listOne(name.slice(0, slash), request, context) : await listAll(request, context);
  const found = models.find(({ id }) => id === name);
  if (found === undefined) throw notFound();
  return found;
}

async function listOne(provider: string, request: RequestContext, context: HttpContext): Promise<readonly Model[]> {
  try {
    return (await context.engine.models({ provider }, callOptions(request, context))).data;
  } catch (thrown) {
    if (isGatewayError(thrown) && unlisted.has(thrown.code)) throw notFound();
    throw thrown;
  }
}

function notFound(): GatewayError {
  const message = "There is no model of that name. The list of models shows all that can be called.";
  return new GatewayError("not_found", message, { param: "model" });
}
