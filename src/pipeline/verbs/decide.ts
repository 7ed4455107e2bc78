import type { DecisionRequest, DecisionResponse } from "../../api/decisions.ts";
import { boundDecision } from "../../decisions/cost-bound.ts";
import { passedOn } from "../../decisions/prompt.ts";
import { readQuestions } from "../../decisions/question.ts";
import type { Provider } from "../../ports/provider.ts";
import { deliverWhole, discardWhole } from "../delivery/whole.ts";
import { askChat } from "./decide-by-chat.ts";
import { askNative } from "./decide-natively.ts";
import { parseDecision } from "./decide-request.ts";
import type { Verb } from "./verb.ts";

/** Typed decisions (inference-resolved.md, section 10): decision providers get the whole request, chat models each question. */
export const decide: Verb<DecisionRequest, DecisionResponse, DecisionResponse> = {
  requestType: "decision",
  method: "decide",
  parse: parseDecision,
  ask(provider, request, attempt) {
    const questions = readQuestions(request);
    const isNative = (provider as Provider).decide !== undefined;
    return isNative
      ? askNative(provider, { request, questions }, attempt)
      : askChat(provider, { request, questions, passed: passedOn(request) }, attempt);
  },
  deliver: ({ call }, served) => deliverWhole(call, served),
  discard: discardWhole,
  bound: boundDecision,
};
