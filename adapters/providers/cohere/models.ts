import type { Model } from "../../../src/engine/api/models.ts";
import { isRecord, optionalText, sizeOf, textsOf } from "../../../src/engine/dialects/wire-values.ts";
import { GatewayError } from "../../../src/engine/errors.ts";
import type { HttpCall, HttpClient } from "../../shared/http/client.ts";

interface CohereWireModel {
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
    for (const model of body.models.filter(isRecord)) models.push(...toModel(model));
    if (typeof body.next_page_token !== "string" || body.next_page_token === "") break;
    path = `/v1/models?page_size=1000&page_token=${encodeURIComponent(body.next_page_token)}`;
  }
  return models;
}

/** The model, of an entry that names one; what else is something else than it should be is left out. */
function toModel(wire: CohereWireModel): Model[] {
  const [id, length] = [optionalText(wire.name), sizeOf(wire.context_length)];
  if (id === undefined) return [];
  const [endpoints, features] = [textsOf(wire.endpoints), textsOf(wire.features)];
  const inputs = features?.includes("vision") ? ["text", "image"] : ["text"];
  const model: Model = {
    id,
    owned_by: "cohere",
    ...(length === undefined ? {} : { context_length: length }),
    ...(features === undefined ? {} : { architecture: { input_modalities: inputs, output_modalities: ["text"] } }),
    ...(endpoints === undefined ? {} : { supported_methods: endpoints }),
  };
  return [model];
}
