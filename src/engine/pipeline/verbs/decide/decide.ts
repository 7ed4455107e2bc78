import type { DecisionRequest, DecisionResponse } from "../../../api/decisions.ts";
import { boundDecision } from "../../../decisions/cost-bound.ts";
import { closeWhole, discardWhole, settleWhole } from "../../delivery/whole.ts";
import type { Verb } from "../verb.ts";
import { askDecision } from "./ask.ts";
import { serveEnsemble } from "./ensemble/serve.ts";
import { type ReadDecision, writeDecision } from "./read-decision.ts";
import { parseDecision } from "./request.ts";

/** Typed decisions (inference-resolved.md, section 10). */
export const decide: Verb<DecisionRequest, ReadDecision, DecisionResponse> = {
  requestType: "decision",
  route: "decide",
  parse: parseDecision,
  ask: askDecision,
  serve: serveEnsemble,
  deliver({ call }, served, request) {
    const usage = settleWhole(call, served);
    return closeWhole(call, served.attempt, { answer: writeDecision(request, served.answer), usage });
  },
  discard: discardWhole,
  bound: boundDecision,
};
