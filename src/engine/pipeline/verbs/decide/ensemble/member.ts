import type { DecisionRequest } from "../../../../api/decisions.ts";
import type { Usage } from "../../../../api/usage.ts";
import type { Provider } from "../../../../ports/provider.ts";
import type { Target } from "../../../../routing/plan.ts";
import { settleEarly } from "../../../accounting/charge.ts";
import type { Attempt } from "../../../attempts/attempt.ts";
import { openCandidates } from "../../../attempts/candidates.ts";
import type { AskCandidates } from "../../../attempts/hedge.ts";
import type { Call } from "../../../call/call.ts";
import { settleWhole } from "../../../delivery/whole.ts";
import { askDecision } from "../ask.ts";
import type { ReadDecision } from "../read-decision.ts";

/** One model's part of a decision, with its bill settled: the call goes on. */
export interface EnsembleMember {
  readonly attempt: Attempt;
  readonly answer: ReadDecision;
  readonly usage: Usage | undefined;
}

/** Whom to ask, and what. */
export interface MemberQuestion {
  readonly request: DecisionRequest;
  readonly targets: readonly Target[];
  readonly askCandidates: AskCandidates<ReadDecision>;
  /** Called once the first target is asked: what it may cost is reserved then. */
  readonly onAsked?: (() => void) | undefined;
}

/** Asks the targets of a member in order and bills what it used. */
export async function askMember(
  call: Call,
  { request, targets, askCandidates, onAsked }: MemberQuestion,
): Promise<EnsembleMember> {
  const served = await askCandidates(openCandidates(call, targets), (provider, attempt) => {
    onAsked?.();
    return askDecision(provider as Required<Provider>, request, attempt);
  });
  return { attempt: served.attempt, answer: served.answer, usage: settleWhole(call, served, settleEarly) };
}
