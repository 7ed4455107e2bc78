import type { Model } from "../../../engine/api/models.ts";
import { type RequestHandler, toJson } from "../../context.ts";
import { findModel, listAll } from "../../find-model.ts";
import type { OpenaiModel } from "./schema.ts";

/** `GET /openai/v1/models`: all of them, as the vendor has no pages. */
export const answerModels: RequestHandler = async (request, context) => {
  const models = await listAll(request, context);
  return toJson({ object: "list", data: models.map(writeModel) });
};

/** `GET /openai/v1/models/{model}`. */
export const answerModel: RequestHandler = async (request, context) =>
  toJson(writeModel(await findModel(request.params.model ?? "", request, context)));

function writeModel({ id, created = 0, owned_by = id.slice(0, id.indexOf("/")) }: Model): OpenaiModel {
  return { id, object: "model", created, owned_by };
}
