import type { Model } from "../../../api/models.ts";
import { findModel, listAll } from "../../models.ts";
import { type Answer, toJson } from "../../source.ts";
import type { OpenaiModel } from "./schema.ts";

/** `GET /openai/v1/models`: all of them, as the vendor has no pages. */
export const answerModels: Answer = async (exchange, source) => {
  const models = await listAll(exchange, source);
  return toJson({ object: "list", data: models.map(writeModel) });
};

/** `GET /openai/v1/models/{model}`. */
export const answerModel: Answer = async (exchange, source) =>
  toJson(writeModel(await findModel(exchange.params.model ?? "", exchange, source)));

function writeModel({ id, created = 0, owned_by = id.slice(0, id.indexOf("/")) }: Model): OpenaiModel {
  return { id, object: "model", created, owned_by };
}
