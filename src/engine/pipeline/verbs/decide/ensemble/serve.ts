import type { DecisionRequest, DecisionResponse } from "../../../../api/decisions.ts";
import type { Cost, Usage } from "../../../../api/usage.ts";
import { sumUsages } from "../../../../metering/counts.ts";
import { fromDollars, toDollars } from "../../../../metering/money.ts";
import type { AskCandidates } from "../../../attempts/hedge.ts";
import type { RoutedCall } from "../../../call/routed-call.ts";
import { closeWhole } from "../../../delivery/whole.ts";
import { type ReadDecision, writeDecision } from "../read-decision.ts";
import { escalate } from "./escalate.ts";
import { askMember, type EnsembleMember } from "./member.ts";
import { askVoters, type Votes } from "./votes.ts";

/**
 * A decision of several models: those that vote, and the one that close questions are asked again of. All of it is one call with one
 * entry in the ledger; every model has its reservation and its line there. `undefined` where one model decides.
 */
export function serveEnsemble(
  routed: RoutedCall<DecisionRequest>,
  askCandidates: AskCandidates<ReadDecision>,
): Promise<DecisionResponse> | undefined {
  const { votes, escalate: escalation } = routed.request;
  return votes === undefined && escalation === undefined ? undefined : serve(routed, askCandidates);
}

async function serve(
  routed: RoutedCall<DecisionRequest>,
  askCandidates: AskCandidates<ReadDecision>,
): Promise<DecisionResponse> {
  const { call, request, targets, onServed } = routed;
  const { votes } = request;
  const voted = votes
    ? await askVoters(routed, votes)
    : single(await askMember(call, { request, targets, askCandidates }));
  const { outcomes, members } = request.escalate ? await escalate(routed, voted) : voted;
  const [{ attempt, answer }] = members;
  onServed?.(attempt);
  const { usage: _own, ...rest } = answer;
  const usage = joinUsages(members.map((member) => member.usage));
  return closeWhole(call, attempt, { answer: writeDecision(request, { ...rest, outcomes }), usage });
}

function single(member: EnsembleMember): Votes {
  return { members: [member], outcomes: member.answer.outcomes };
}

/** What all of them used, with what that cost; `undefined` where one of them did not say. */
function joinUsages(usages: readonly (Usage | undefined)[]): Usage | undefined {
  const sum = sumUsages(usages);
  const costs = usages.flatMap((usage) => usage?.cost ?? []);
  if (!sum || costs.length < usages.length) return sum;
  const cost: Record<string, number> = {};
  for (const each of costs)
    for (const [part, dollars] of Object.entries(each))
      if (typeof dollars === "number") cost[part] = (cost[part] ?? 0) + fromDollars(dollars);
  return {
    ...sum,
    cost: Object.fromEntries(Object.entries(cost).map(([part, nano]) => [part, toDollars(nano)])) as Cost,
  };
}
