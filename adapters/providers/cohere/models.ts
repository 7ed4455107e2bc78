import type { Model } from "../../../src/api/models.ts";
import { GatewayError } from "../../../src/errors.ts";
import type { HttpCall, HttpClient } from "../../shared/http/client.ts";
import { isRecord } from "../../shared/http/fault.ts";

interface WireModel {
  readonly name?: string;
  readonly endpoints?: readonly string[] | null;
  readonly context_length?: number | null;
  readonly features?: readonly string[] | null;
}

/** More pages than any list has: the end of a list that never says that it ends. */
const mostPages = 100;

/** Every model of `GET /v1/models`, page after page. */
export async function listModels(client: HttpClient, call: HttpCall, provider: string): Promise<readonly Model[]> {
  const models: Model[] = [];
  let path = "/v1/models?page_size=1000";
  for (let page = 0; page < mostPages; page++) {
    const body = await client.get(path, call);
    if (!isRecord(body) || !Array.isArray(body.models)) {
      throw new GatewayError("upstream_invalid_response", `The list of models of ${provider} cannot be read.`);
    }
    for (const model of body.models as WireModel[]) if (model?.name) models.push(toModel(model, model.name));
    if (typeof body.next_page_token !== "string" || body.next_page_token === "") break;
    path = `/v1/models?page_size=1000&page_token=${encodeURIComponent(body.next_page_token)}`;
  }
  return models;
}

function toModel({ endpoints, context_length: length, features }: WireModel, id: string): Model {
  const inputs = features?.includes("vision") ? ["text", "image"] : ["text"];
  return {
    id,
    owned_by: "cohere",
    ...(length ? { context_length: length } : {}),
    ...(features ? { architecture: { input_modalities: inputs, output_modalities: ["text"] } } : {}),
    ...(endpoints ? { supported_methods: [...endpoints] } : {}),
  };
}
