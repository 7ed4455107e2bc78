import { Buffer } from "node:buffer";
import type { DecisionRequest, DecisionResponse, MapAnswer } from "../../../engine/api/decisions.ts";
import { isRecord } from "../../../engine/dialects/wire-values.ts";
import { GatewayError } from "../../../engine/errors.ts";
import { callOptions, type RequestHandler, readFormInput, toJson } from "../../context.ts";
import { listAll } from "../../find-model.ts";
import type { ReadParts } from "../../request/body.ts";
import { unreadable } from "../../request/body-errors.ts";
import { type BodyPart, readMultipart } from "../../request/multipart.ts";
import { writeDecisionUsage } from "../../response/decision-usage.ts";
import { newNotes, warningHeaders } from "../shared/translation-warnings.ts";

/** A request in parts: `request` is its JSON, and each asset with a `part` is the picture in the part of that name. */
const readRequestParts: ReadParts = (bytes, mediaType, parse) => {
  const parts = readMultipart(bytes, mediaType);
  const part = parts.get("request");
  if (!part) throw unreadable("has no part `request`");
  const request = parse(part.bytes);
  return isRecord(request) && isRecord(request.assets)
    ? { ...request, assets: withPictures(request.assets, parts) }
    : request;
};

function withPictures(assets: Readonly<Record<string, unknown>>, parts: ReadonlyMap<string, BodyPart>): object {
  const read = Object.entries(assets).map(([name, asset]) => {
    if (!isRecord(asset) || typeof asset.part !== "string") return [name, asset];
    const { part: reference, ...rest } = asset;
    const part = parts.get(reference);
    const param = `assets.${name}.part`;
    if (!part) throw new GatewayError("invalid_request", `\`${param}\`: there is no part of that name.`, { param });
    const format = rest.format ?? formatOf(part);
    return [name, { ...rest, format, data_base64: Buffer.from(part.bytes).toString("base64") }];
  });
  return Object.fromEntries(read);
}

/** The format of a picture: as its part says, else by its first bytes. */
function formatOf({ mediaType, bytes }: BodyPart): string {
  const [, stated] = /^image\/([a-z0-9.+-]+)/i.exec(mediaType) ?? [];
  if (stated !== undefined) return stated.toLowerCase();
  if (bytes[0] === 0xff && bytes[1] === 0xd8) return "jpeg";
  return bytes[0] === 0x52 && bytes[1] === 0x49 ? "webp" : "png";
}

/** `POST /systemone/v1/systemone` and `POST /v1/systemone`, in JSON or in parts. The engine checks what it is given. */
const answerSystemone: RequestHandler = async (requestContext, context) => {
  requestContext.requestType = "decision";
  const body = (await readFormInput(requestContext, context, readRequestParts)) as DecisionRequest;
  const { answers, usage, model, id, extra_fields } = await context.engine.decide(
    body,
    callOptions(requestContext, context),
  );
  const written = { id, model, answers: writeAnswers(answers), usage: { ...writeDecisionUsage(usage) } };
  return toJson(written, warningHeaders(newNotes(), extra_fields?.warnings ?? []));
};

function writeAnswers(answers: DecisionResponse["answers"]): Record<string, object> {
  if (Array.isArray(answers)) {
    const message = "`questions`: must be an object by name; `POST /v1/decisions` takes them in a list.";
    throw new GatewayError("invalid_request", message, { param: "questions" });
  }
  return Object.fromEntries(Object.entries(answers).map(([name, answer]) => [name, writeAnswer(answer)]));
}

/** The vendors' own names: `type`, and the value under the name of the type. */
function writeAnswer({ kind, value, ...rest }: MapAnswer & { readonly value?: unknown }): object {
  return value === undefined ? { ...rest, type: kind } : { ...rest, type: kind, [kind]: value };
}

/** `GET /systemone/v1/models`: every model that may be called, since any chat model answers questions. */
const answerSystemoneModels: RequestHandler = async (request, context) => {
  const models = await listAll(request, context);
  return toJson({
    models: models.map(({ id, description, name, created = 0 }) => ({
      name: id,
      description: description ?? name ?? id,
      release_date: new Date(created * 1_000).toISOString().slice(0, 10),
    })),
  });
};

/** The handler of each operation. */
export const handlers = {
  systemone_decide: answerSystemone,
  systemone_models: answerSystemoneModels,
  decide_systemone: answerSystemone,
} satisfies Record<string, RequestHandler>;
