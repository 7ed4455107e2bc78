import type { Model } from "../../../src/engine/api/models.ts";
import { isRecord, optionalText, sizeOf } from "../../../src/engine/dialects/wire-values.ts";
import { GatewayError } from "../../../src/engine/errors.ts";
import type { HttpCall, HttpClient } from "../../shared/http/client.ts";

interface AnthropicWireModel {
  readonly id?: string;
  readonly display_name?: string | null;
  readonly created_at?: string | null;
  readonly max_input_tokens?: number | null;
  readonly max_tokens?: number | null;
  readonly capabilities?: Readonly<Record<string, { readonly supported?: boolean } | null>> | null;
}

/** More pages than any list has: the end of a list that never says that it ends. */
const mostPages = 100;

/** Every model of `GET /v1/models`, page after page. */
export async function listModels(client: HttpClient, call: HttpCall, provider: string): Promise<readonly Model[]> {
  const models: Model[] = [];
  let path = "/v1/models?limit=1000";
  for (let page = 0; page < mostPages; page++) {
    const body = await client.get(path, call);
    if (!isRecord(body) || !Array.isArray(body.data)) {
      throw new GatewayError("upstream_invalid_response", `The list of models of ${provider} cannot be read.`);
    }
    for (const model of body.data.filter(isRecord)) models.push(...toModel(model));
    if (body.has_more !== true || typeof body.last_id !== "string") break;
    path = `/v1/models?limit=1000&after_id=${encodeURIComponent(body.last_id)}`;
  }
  return models;
}

/** The model, of an entry that names one; what else is something else than it should be is left out. */
function toModel(wire: AnthropicWireModel): Model[] {
  const [id, name, read, written] = [
    optionalText(wire.id),
    optionalText(wire.display_name),
    sizeOf(wire.max_input_tokens),
    sizeOf(wire.max_tokens),
  ];
  if (id === undefined) return [];
  const created = Math.floor(Date.parse(optionalText(wire.created_at) ?? "") / 1000);
  const model: Model = {
    id,
    owned_by: "anthropic",
    ...(name === undefined ? {} : { name }),
    ...(created > 0 ? { created } : {}),
    ...(read === undefined ? {} : { context_length: read, max_input_tokens: read }),
    ...(written === undefined ? {} : { max_output_tokens: written }),
    ...(isRecord(wire.capabilities) ? { architecture: architectureOf(wire.capabilities) } : {}),
  };
  return [model];
}

function architectureOf(
  capabilities: NonNullable<AnthropicWireModel["capabilities"]>,
): NonNullable<Model["architecture"]> {
  const inputs = { image: capabilities.image_input, file: capabilities.pdf_input };
  const taken = Object.entries(inputs).flatMap(([kind, capability]) => (capability?.supported === true ? [kind] : []));
  return { input_modalities: ["text", ...taken], output_modalities: ["text"] };
}
