import type { DecisionRequest, DecisionResponse } from "../api/decisions.ts";
import { boundDecision } from "../decisions/bound.ts";
import { readInquiry } from "../decisions/inquiry.ts";
import { passedOn } from "../decisions/prompt.ts";
import type { Provider } from "../ports.ts";
import { askChat } from "./decide-by-chat.ts";
import { askNative } from "./decide-natively.ts";
import { parseDecision } from "./decide-request.ts";
import { deliverWhole } from "./deliver.ts";
import type { Verb } from "./verb.ts";

/** Typed decisions (inference-resolved.md, section 10): a decision provider is asked as it is, a chat model question by question. */
export const decide: Verb<DecisionRequest, DecisionResponse, DecisionResponse> = {
  requestType: "decision",
  method: "decide",
  parse: parseDecision,
  ask(provider, request, attempt) {
    const inquiry = readInquiry(request);
    const isNative = (provider as Provider).decide !== undefined;
    return isNative
      ? askNative(provider, { request, inquiry }, attempt)
      : askChat(provider, { request, inquiry, passed: passedOn(request) }, attempt);
  },
  deliver: ({ call }, served) => deliverWhole(call, served),
  bound: boundDecision,
};
