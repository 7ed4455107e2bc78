import { RerankRequest, type RerankResponse } from "../../api/rerank.ts";
import { boundRerank } from "../../metering/usage-bound.ts";
import { countText } from "../accounting/count-tokens.ts";
import { recordingAnswers } from "../accounting/sub-calls.ts";
import { checkForm } from "../attempts/answer-form.ts";
import type { Attempt } from "../attempts/attempt.ts";
import { requestParserOf } from "../call/parse.ts";
import { deliverWhole, discardWhole } from "../delivery/whole.ts";
import { checkLength } from "./text-length.ts";
import type { Verb } from "./verb.ts";

export { embed } from "./embed.ts";

export const rerank: Verb<RerankRequest, RerankResponse, RerankResponse> = {
  requestType: "rerank",
  route: "rerank",
  parse: requestParserOf(RerankRequest),
  fields: RerankRequest.shape,
  async ask(provider, request, attempt) {
    checkDocuments(request, attempt);
    return checkForm("scores", await provider.rerank(request, recordingAnswers(attempt)), attempt);
  },
  deliver: ({ call }, served) => deliverWhole(call, served),
  discard: discardWhole,
  bound: boundRerank,
};

/** Says which documents are empty or longer than what the model reads of one with the query, unless the request has a bound of its own. */
function checkDocuments({ query, documents, truncate, max_tokens_per_doc }: RerankRequest, attempt: Attempt): void {
  const { call, target, model } = attempt;
  const facts = call.ports.accounting.prices.find(target.provider, target.model, call.startedAt);
  const isKnown = facts?.max_input_tokens !== undefined || facts?.context_length !== undefined;
  const besides = isKnown ? countText(call, query, model) : 0;
  for (const [index, { text }] of documents.entries()) {
    if (max_tokens_per_doc !== undefined && text.trim() !== "") continue;
    const name = `documents.${index}`;
    checkLength({ name, text, truncate, besides }, attempt, "is empty, and its score says nothing");
  }
}
