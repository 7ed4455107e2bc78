import type { Model } from "../../../src/api/models.ts";
import type { HttpCall, HttpClient } from "../../shared/http/client.ts";
import { isRecord } from "../../shared/http/fault.ts";
import { invalidAnswer } from "../../shared/openai/answer.ts";

interface WireModel {
  readonly modelId?: string;
  readonly modelName?: string;
  readonly providerName?: string;
  readonly inputModalities?: readonly string[];
  readonly outputModalities?: readonly string[];
}

interface WireProfile {
  readonly inferenceProfileId?: string;
  readonly inferenceProfileName?: string;
  readonly status?: string;
}

/** More pages than any list has: the end of a list that never says that it ends. */
const mostPages = 100;

/** The region's models, and the inference profiles by whose names the newer ones are asked. */
export async function listModels(client: HttpClient, call: HttpCall, provider: string): Promise<readonly Model[]> {
  const body = await client.get("/foundation-models", call);
  if (!isRecord(body) || !Array.isArray(body.modelSummaries)) throw invalidAnswer(provider, "lists no models");
  const models = (body.modelSummaries as WireModel[]).flatMap((model) =>
    model?.modelId ? [toModel(model, model.modelId)] : [],
  );
  return [...models, ...(await listProfiles(client, call, provider))];
}

async function listProfiles(client: HttpClient, call: HttpCall, provider: string): Promise<Model[]> {
  const profiles: Model[] = [];
  let path = "/inference-profiles?maxResults=1000";
  for (let page = 0; page < mostPages; page++) {
    const body = await client.get(path, call);
    if (!isRecord(body) || !Array.isArray(body.inferenceProfileSummaries)) {
      throw invalidAnswer(provider, "lists no inference profiles");
    }
    for (const {
      inferenceProfileId: id,
      inferenceProfileName: name,
      status,
    } of body.inferenceProfileSummaries as WireProfile[]) {
      if (id && status === "ACTIVE") profiles.push({ id, ...(name ? { name } : {}) });
    }
    if (typeof body.nextToken !== "string" || body.nextToken === "") break;
    path = `/inference-profiles?maxResults=1000&nextToken=${encodeURIComponent(body.nextToken)}`;
  }
  return profiles;
}

function toModel({ modelName, providerName, inputModalities, outputModalities }: WireModel, id: string): Model {
  const words = (list: readonly string[] = []) => list.map((word) => word.toLowerCase());
  return {
    id,
    ...(modelName ? { name: modelName } : {}),
    ...(providerName ? { owned_by: providerName.toLowerCase() } : {}),
    architecture: { input_modalities: words(inputModalities), output_modalities: words(outputModalities) },
  };
}
