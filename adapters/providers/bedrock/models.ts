import type { Model } from "../../../src/engine/api/models.ts";
import { isRecord, optionalText, textsOf } from "../../../src/engine/dialects/wire-values.ts";
import type { HttpCall, HttpClient } from "../../shared/http/client.ts";
import { invalidAnswer } from "../../shared/openai-compatible/response/answer.ts";

interface BedrockWireModel {
  readonly modelId?: string;
  readonly modelName?: string;
  readonly providerName?: string;
  readonly inputModalities?: readonly string[];
  readonly outputModalities?: readonly string[];
}

/** More pages than any list has: the end of a list that never says that it ends. */
const mostPages = 100;

/** The region's models, and the inference profiles that name the newer ones. */
export async function listModels(client: HttpClient, call: HttpCall, provider: string): Promise<readonly Model[]> {
  const body = await client.get("/foundation-models", call);
  if (!isRecord(body) || !Array.isArray(body.modelSummaries)) throw invalidAnswer(provider, "lists no models");
  const models = body.modelSummaries.filter(isRecord).flatMap(toModel);
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
    for (const profile of body.inferenceProfileSummaries.filter(isRecord)) {
      const [id, name] = [optionalText(profile.inferenceProfileId), optionalText(profile.inferenceProfileName)];
      if (id !== undefined && profile.status === "ACTIVE")
        profiles.push({ id, ...(name === undefined ? {} : { name }) });
    }
    if (typeof body.nextToken !== "string" || body.nextToken === "") break;
    path = `/inference-profiles?maxResults=1000&nextToken=${encodeURIComponent(body.nextToken)}`;
  }
  return profiles;
}

/** The model, of an entry that names one; what else is something else than it should be is left out. */
function toModel(wire: BedrockWireModel): Model[] {
  const [id, name, owner] = [optionalText(wire.modelId), optionalText(wire.modelName), optionalText(wire.providerName)];
  if (id === undefined) return [];
  const words = (list: unknown) => (textsOf(list) ?? []).map((word) => word.toLowerCase());
  const model: Model = {
    id,
    ...(name === undefined ? {} : { name }),
    ...(owner === undefined ? {} : { owned_by: owner.toLowerCase() }),
    architecture: { input_modalities: words(wire.inputModalities), output_modalities: words(wire.outputModalities) },
  };
  return [model];
}
