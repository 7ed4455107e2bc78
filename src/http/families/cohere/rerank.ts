import type { RerankRequest, RerankResponse } from "../../../api/rerank.ts";
import type { Usage } from "../../../api/usage.ts";
import { parserOf } from "../../../pipeline/parse.ts";
import { type Answer, readInput } from "../../source.ts";
import { answerRerank } from "../shared/family.ts";
import { type Notes, newNotes, warnOfRest } from "../shared/notes.ts";
import { CohereRerankRequest } from "./schema.ts";

const parse = parserOf(CohereRerankRequest);
const known = new Set(Object.keys(CohereRerankRequest.shape));

/** `POST /cohere/v2/rerank`. */
export const answerRanks: Answer = async (exchange, source) => {
  const turn = readRequest(await readInput(exchange, source));
  return answerRerank({ ...turn, write: (answer) => writeAnswer(answer, exchange.eventId) }, exchange, source);
};

function readRequest(body: unknown): { readonly request: RerankRequest; readonly notes: Notes } {
  const asked = parse(body);
  const notes = newNotes();
  warnOfRest(asked, known, { notes, path: "" });
  const { model, query, documents, ...rest } = asked;
  const texts = documents.map((document) =>
    typeof document === "string" ? { text: document } : { text: document.text },
  );
  const kept = Object.entries(rest).filter(([field, value]) => known.has(field) && value !== undefined);
  return { request: { model, query, documents: texts, ...Object.fromEntries(kept) }, notes };
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
