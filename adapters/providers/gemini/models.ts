import type { Model } from "../../../src/engine/api/models.ts";
import { isRecord, optionalText, sizeOf, textsOf } from "../../../src/engine/dialects/wire-values.ts";
import { GatewayError } from "../../../src/engine/errors.ts";
import type { HttpCall, HttpClient } from "../../shared/http/client.ts";

interface GeminiWireModel {
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
    for (const model of (body.models ?? []).filter(isRecord)) models.push(...toModel(model));
    if (typeof body.nextPageToken !== "string" || body.nextPageToken === "") break;
    path = `/models?pageSize=1000&pageToken=${encodeURIComponent(body.nextPageToken)}`;
  }
  return models;
}

/** The model, of an entry that names one; what else is something else than it should be is left out. */
function toModel(wire: GeminiWireModel): Model[] {
  const id = optionalText(wire.name)?.replace(/^models\//, "");
  if (id === undefined) return [];
  const [name, description] = [optionalText(wire.displayName), optionalText(wire.description)];
  const [read, written] = [sizeOf(wire.inputTokenLimit), sizeOf(wire.outputTokenLimit)];
  const methods = textsOf(wire.supportedGenerationMethods);
  const defaults = defaultsOf(wire);
  const model: Model = {
    id,
    owned_by: "google",
    ...(name === undefined ? {} : { name }),
    ...(description === undefined ? {} : { description }),
    ...(read === undefined ? {} : { context_length: read, max_input_tokens: read }),
    ...(written === undefined ? {} : { max_output_tokens: written }),
    ...(methods === undefined ? {} : { supported_methods: methods }),
    ...(Object.keys(defaults).length === 0 ? {} : { default_parameters: defaults }),
  };
  return [model];
}

function defaultsOf({ temperature, topP }: GeminiWireModel): NonNullable<Model["default_parameters"]> {
  return {
    ...(Number.isFinite(temperature) ? { temperature } : {}),
    ...(Number.isFinite(topP) ? { top_p: topP } : {}),
  };
}
