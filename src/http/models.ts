import type { Model } from "../api/models.ts";
import { GatewayError } from "../errors.ts";
import type { Exchange } from "./endpoint.ts";
import { callOptions, type Source } from "./source.ts";

/** All models that the caller may see. */
export async function listAll(exchange: Exchange, source: Source): Promise<readonly Model[]> {
  exchange.requestType = "list_models";
  const { data } = await source.engine.models({}, callOptions(exchange, source));
  return data;
}

/** The one model of this name. Throws `not_found`, which does not repeat the name: it may be a key that was sent in the wrong place. */
export async function findModel(name: string, exchange: Exchange, source: Source): Promise<Model> {
  exchange.model = name;
  const models = await listAll(exchange, source);
  const found = models.find(({ id }) => id === name);
  if (found === undefined)
    throw new GatewayError(
      "not_found",
      "There is no model of that name: the list of models shows all that can be asked.",
      { param: "model" },
    );
  return found;
}
