import { type RequestHandler, toJson } from "../../context.ts";
import { listAll } from "../../find-model.ts";

/** `GET /systemone/v1/models`: every model that may be called, since any chat model answers questions. */
export const answerSystemoneModels: RequestHandler = async (request, context) => {
  const models = await listAll(request, context);
  return toJson({
    models: models.map(({ id, description, name, created = 0 }) => ({
      name: id,
      description: description ?? name ?? id,
      release_date: new Date(created * 1_000).toISOString().slice(0, 10),
    })),
  });
};
