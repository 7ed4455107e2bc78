import type { Model } from "../../../src/api/models.ts";
import { GatewayError } from "../../../src/errors.ts";
import type { HttpCall, HttpClient } from "../../shared/http/client.ts";
import { isRecord } from "../../shared/http/fault.ts";

interface WireModel {
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
    for (const model of body.data as WireModel[]) if (model?.id) models.push(toModel({ ...model, id: model.id }));
    if (body.has_more !== true || typeof body.last_id !== "string") break;
    path = `/v1/models?limit=1000&after_id=${encodeURIComponent(body.last_id)}`;
  }
  return models;
}

function toModel(wire: WireModel & { id: string }): Model {
  const created = Math.floor(Date.parse(wire.created_at ?? "") / 1000);
  return {
    id: wire.id,
    owned_by: "anthropic",
    ...(wire.display_name ? { name: wire.display_name } : {}),
    ...(created > 0 ? { created } : {}),
    ...(wire.max_input_tokens
      ? { context_length: wire.max_input_tokens, max_input_tokens: wire.max_input_tokens }
      : {}),
    ...(wire.max_tokens ? { max_output_tokens: wire.max_tokens } : {}),
    ...(wire.capabilities ? { architecture: architectureOf(wire.capabilities) } : {}),
  };
}

function architectureOf(capabilities: NonNullable<WireModel["capabilities"]>): NonNullable<Model["architecture"]> {
  const inputs = { image: capabilities.image_input, file: capabilities.pdf_input };
  const taken = Object.entries(inputs).flatMap(([kind, capability]) => (capability?.supported === true ? [kind] : []));
  return { input_modalities: ["text", ...taken], output_modalities: ["text"] };
}
