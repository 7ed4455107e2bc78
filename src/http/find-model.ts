import type { Model } from "../api/models.ts";
import { GatewayError } from "../errors.ts";
import { callOptions, type HttpContext } from "./context.ts";
import type { RequestContext } from "./response/request-context.ts";

/** All models that the caller may see. */
export async function listAll(request: RequestContext, context: HttpContext): Promise<readonly Model[]> {
  request.requestType = "list_models";
  const { data } = await context.engine.models({}, callOptions(request, context));
  return data;
}

/** The one model of this name. Throws `not_found`, which does not repeat the name: it may be a key that was sent in the wrong place. */
export async function findModel(name: string, request: RequestContext, context: HttpContext): Promise<Model> {
  request.model = name;
  const models = await listAll(request, context);
  const found = models.find(({ id }) => id === name);
  if (found === undefined)
    throw new GatewayError(
      "not_found",
      "There is no model of that name. The list of models shows all that can be called.",
      { param: "model" },
    );
  return found;
}
