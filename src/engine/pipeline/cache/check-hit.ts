import { toGatewayError } from "../../errors.ts";
import type { Provider } from "../../ports/provider.ts";
import { settleEarly } from "../accounting/charge.ts";
import { askTarget } from "../attempts/target.ts";
import { settleWhole } from "../delivery/whole.ts";
import type { HitCheck } from "../runtime/answer-cache.ts";
import { askDecision } from "../verbs/decide/ask.ts";
import { yesOrNo } from "../verbs/decide/yes-or-no.ts";
import type { CacheLookup } from "./lookup.ts";
import { reportFailure } from "./same-question.ts";

/** Two questions that vectors and words cannot tell apart. */
export interface CheckedPair {
  /** What the cached answer was given to. */
  readonly answered: string;
  readonly asked: string;
}

const instructions =
  "Would a complete and correct answer to `answered` be, word for word, a complete and correct answer to `asked` too? " +
  "They must ask for the same thing of the same things; the same topic is not enough.";

/**
 * True when the model says that the answer fits. Asking it is a part of the call: its cost is on the call's bill and budgets. Where it
 * fails, the answer does not fit, and a warning says so.
 */
export async function isConfirmed(
  lookup: CacheLookup,
  { target, threshold }: HitCheck,
  pair: CheckedPair,
): Promise<boolean> {
  const { call } = lookup;
  const { facts } = call;
  const question = yesOrNo(target.name, pair, instructions);
  call.facts = question.facts;
  try {
    const outcome = await askTarget({ call, targets: [target], next: 1 }, target, (provider, attempt) =>
      askDecision(provider as Required<Provider>, question.request, attempt),
    );
    if ("error" in outcome) throw outcome.error;
    settleWhole(call, outcome, settleEarly);
    return (question.read(outcome.answer) ?? 0) >= threshold;
  } catch (error) {
    if (call.cancelled) throw call.cancelled;
    const { message } = toGatewayError(error);
    if (call.cache) call.cache.warning = `cache: a similar question could not be checked: ${message}`;
    reportFailure(lookup, error);
    return false;
  } finally {
    call.facts = facts;
  }
}
