import type { Model } from "../../../src/api/models.ts";
import { GatewayError } from "../../../src/errors.ts";
import type { HttpCall, HttpClient } from "../../shared/http/client.ts";
import { isRecord } from "../../shared/http/fault.ts";

interface WireModel {
  readonly name?: string;
  readonly displayName?: string;
  readonly description?: string;
  readonly inputTokenLimit?: number;
  readonly outputTokenLimit?: number;
  readonly supportedGenerationMethods?: readonly string[];
  readonly temperature?: number;
  readonly topP?: number;
}

/** More pages than any list has: the end of a list that never says that it ends. */
const mostPages = 100;

/** Every model of `GET models`, page after page. */
export async function listModels(client: HttpClient, call: HttpCall, provider: string): Promise<readonly Model[]> {
  const models: Model[] = [];
  let path = "/models?pageSize=1000";
  for (let page = 0; page < mostPages; page++) {
    const body = await client.get(path, call);
    if (!isRecord(body) || !(body.models === undefined || Array.isArray(body.models))) {
      throw new GatewayError("upstream_invalid_response", `The list of models of ${provider} cannot be read.`);
    }
    for (const model of (body.models ?? []) as WireModel[]) if (model?.name) models.push(toModel(model, model.name));
    if (typeof body.nextPageToken !== "string" || body.nextPageToken === "") break;
    path = `/models?pageSize=1000&pageToken=${encodeURIComponent(body.nextPageToken)}`;
  }
  return models;
}

function toModel(wire: WireModel, name: string): Model {
  const defaults = {
    ...(wire.temperature === undefined ? {} : { temperature: wire.temperature }),
    ...(wire.topP === undefined ? {} : { top_p: wire.topP }),
  };
  return {
    id: name.replace(/^models\//, ""),
    owned_by: "google",
    ...(wire.displayName ? { name: wire.displayName } : {}),
    ...(wire.description ? { description: wire.description } : {}),
    ...(wire.inputTokenLimit ? { context_length: wire.inputTokenLimit, max_input_tokens: wire.inputTokenLimit } : {}),
    ...(wire.outputTokenLimit ? { max_output_tokens: wire.outputTokenLimit } : {}),
    ...(wire.supportedGenerationMethods ? { supported_methods: [...wire.supportedGenerationMethods] } : {}),
    ...(Object.keys(defaults).length === 0 ? {} : { default_parameters: defaults }),
  };
}
