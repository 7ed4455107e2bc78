import type { DecisionRequest, DecisionResponse, ListAnswer } from "../../../engine/api/decisions.ts";
import type { EmbeddingRequest, EmbeddingResponse } from "../../../engine/api/embeddings.ts";
import type { Model } from "../../../engine/api/models.ts";
import { isRecord } from "../../../engine/dialects/wire-values.ts";
import { callOptions, type RequestHandler, readInput, toJson } from "../../context.ts";
import { findModel, listAll } from "../../find-model.ts";
import { writeDecisionUsage } from "../../response/decision-usage.ts";
import { answerEmbed } from "../shared/dialect.ts";
import { newNotes, warningHeaders } from "../shared/translation-warnings.ts";
import { answerChatCompletions } from "./chat.ts";
import type { OpenaiModel } from "./schema.ts";

/** `POST /openai/v1/decisions`. The cast is the seam: the engine checks what it is given. */
const answerDecisions: RequestHandler = async (requestContext, context) => {
  requestContext.requestType = "decision";
  const body = await readInput(requestContext, context);
  const answer = await context.engine.decide(body as DecisionRequest, callOptions(requestContext, context));
  const headers = warningHeaders(newNotes(), answer.extra_fields?.warnings ?? []);
  return toJson(writeDecision(answer, unnamedOf(body)), headers);
};

/** The places of questions without a name: their answers have none either. */
function unnamedOf(body: unknown): ReadonlySet<number> {
  const questions = isRecord(body) && Array.isArray(body.questions) ? body.questions : [];
  return new Set(questions.flatMap((question, at) => ((question?.name ?? undefined) === undefined ? [at] : [])));
}

function writeDecision(
  { extra_fields: _extra, usage, answers, ...rest }: DecisionResponse,
  unnamed: ReadonlySet<number>,
) {
  return {
    ...rest,
    object: "decision",
    answers: Array.isArray(answers) ? answers.map((answer, at) => writeAnswer(answer, unnamed.has(at))) : answers,
    usage: writeDecisionUsage(usage),
  };
}

/** The vendor states no distribution of a predicate. */
function writeAnswer(answer: ListAnswer, isUnnamed: boolean): object {
  const name = isUnnamed ? null : answer.name;
  if (answer.type !== "predicate") return { ...answer, name };
  const { probabilities: _both, ...rest } = answer;
  return { ...rest, name };
}

/** `GET /openai/v1/models`: all of them, as the vendor has no pages. */
const answerModels: RequestHandler = async (request, context) => {
  const models = await listAll(request, context);
  return toJson({ object: "list", data: models.map(writeModel) });
};

/** `GET /openai/v1/models/{model}`. */
const answerModel: RequestHandler = async (request, context) =>
  toJson(writeModel(await findModel(request.params.model ?? "", request, context)));

function writeModel({ id, created = 0, owned_by = id.slice(0, id.indexOf("/")) }: Model): OpenaiModel {
  return { id, object: "model", created, owned_by };
}

/** `POST /openai/v1/embeddings`. The cast is the seam: the engine checks what it is given. */
const answerEmbeddings: RequestHandler = async (requestContext, context) => {
  requestContext.requestType = "embedding";
  const request = (await readInput(requestContext, context)) as EmbeddingRequest;
  return answerEmbed({ request, notes: newNotes(), write: writeEmbeddings }, requestContext, context);
};

/** The vendor always reports usage; it is 0 where the provider reports none. */
function writeEmbeddings({ extra_fields: _extra, usage, ...rest }: EmbeddingResponse): object {
  const { prompt_tokens = 0, total_tokens = 0 } = usage ?? {};
  return { ...rest, object: "list", usage: { prompt_tokens, total_tokens } };
}

/** The handler of each operation. */
export const handlers = {
  openai_chat: answerChatCompletions,
  openai_embeddings: answerEmbeddings,
  openai_decisions: answerDecisions,
  openai_models: answerModels,
  openai_model: answerModel,
} satisfies Record<string, RequestHandler>;
