import type { RerankRequest, RerankResponse } from "../../../engine/api/rerank.ts";
import type { Usage } from "../../../engine/api/usage.ts";
import { parserOf } from "../../../engine/pipeline/call/parse.ts";
import { type RequestHandler, readInput } from "../../context.ts";
import { answerRerank } from "../shared/dialect.ts";
import { type Notes, newNotes, warnOfRest } from "../shared/translation-warnings.ts";
import { CohereRerankRequest } from "./schema.ts";

const parse = parserOf(CohereRerankRequest);
const known = new Set(Object.keys(CohereRerankRequest.shape));

/** `POST /cohere/v2/rerank`. */
export const answerRanks: RequestHandler = async (request, context) => {
  request.requestType = "rerank";
  const turn = readRequest(await readInput(request, context));
  return answerRerank({ ...turn, write: (answer) => writeAnswer(answer, request.eventId) }, request, context);
};

function readRequest(body: unknown): { readonly request: RerankRequest; readonly notes: Notes } {
  const parsed = parse(body);
  const notes = newNotes();
  warnOfRest(parsed, known, { notes, path: "" });
  const { model, query, documents, ...rest } = parsed;
  const texts = documents.map((document) =>
    typeof document === "string" ? { text: document } : { text: document.text },
  );
  const carried = Object.entries(rest).filter(([field, value]) => known.has(field) && value !== undefined);
  return { request: { model, query, documents: texts, ...Object.fromEntries(carried) }, notes };
}

function writeAnswer({ id, results, usage }: RerankResponse, eventId: string): object {
  return { id: id ?? eventId, results, meta: writeMeta(usage) };
}

/** The vendor's account of what was used. */
export function writeMeta(usage: Usage | undefined): object {
  const searches = usage?.search_units;
  const units = {
    ...(usage?.prompt_tokens ? { input_tokens: usage.prompt_tokens } : {}),
    ...(searches === undefined ? {} : { search_units: searches }),
  };
  return { api_version: { version: "2" }, ...(Object.keys(units).length === 0 ? {} : { billed_units: units }) };
}
