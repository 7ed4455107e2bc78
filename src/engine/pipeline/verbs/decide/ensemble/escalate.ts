import type { DecisionRequest } from "../../../../api/decisions.ts";
import { type CloseCall, closeCalls } from "../../../../decisions/ensembles/close-calls.ts";
import type { QuestionOutcome } from "../../../../decisions/outcome.ts";
import { readQuestions } from "../../../../decisions/question.ts";
import { toGatewayError } from "../../../../errors.ts";
import { fromDollars } from "../../../../metering/money.ts";
import type { Target } from "../../../../routing/plan.ts";
import { askInOrder } from "../../../attempts/candidates.ts";
import type { Call } from "../../../call/call.ts";
import type { RoutedCall } from "../../../call/routed-call.ts";
import { resolveRoute } from "../../../routing/resolve.ts";
import { againRequest, mostCost, withRequest } from "./again.ts";
import { askMember, type EnsembleMember } from "./member.ts";
import type { Votes } from "./votes.ts";

const closeMargin = 0.2;
const usualShare = 0.1;

/**
 * Asks the questions whose best two options are close again, of another model or with reasoning: as many as the share of the last thousand
 * decisions and the sum leave room for. What it may cost is reserved first, as for every model. Where it is not done, or fails, the first
 * answer stands, and a warning says why.
 */
export async function escalate(routed: RoutedCall<DecisionRequest>, voted: Votes): Promise<Votes> {
  const { call, request } = routed;
  const { margin = closeMargin, max_share: share = usualShare, max_cost } = request.escalate ?? {};
  const { attempt } = voted.members[0];
  const close = closeCalls(voted.outcomes, margin);
  const targets = close.length === 0 ? [] : await findTargets(routed, attempt.target).catch(toGatewayError);
  const window = call.ports.decisions.escalationsOf(scopeOf(call)); // no other call comes between from here to `open`
  window.note(voted.outcomes.length);
  const limits = { share, ...(max_cost === undefined ? {} : { sum: fromDollars(max_cost) }) };
  const names = readQuestions(request).questions.map(({ name }) => name);
  const stand = (calls: readonly CloseCall[], why: string) => {
    for (const { at } of calls) attempt.warn(`escalate: \`${names[at]}\` is close and was not asked again: ${why}`);
    return voted;
  };
  const chosen = close.slice(0, window.roomFor(limits));
  stand(close.slice(chosen.length), `${share * 100} % of the last thousand decisions were asked again`);
  if (chosen.length === 0) return voted;
  const asked = chosen.toSorted((one, other) => one.at - other.at);
  if ("code" in targets) return stand(asked, targets.message);
  const again = againRequest(
    request,
    targets,
    asked.map(({ at }) => at),
  );
  return withRequest(call, again, async () => {
    const most = max_cost === undefined ? 0 : mostCost(call, targets);
    if (most === undefined) return stand(asked, "what it costs is unknown, and `max_cost` bounds it");
    const escalation = window.open(asked.length, most, limits);
    if (!escalation) return stand(asked, `\`max_cost\` ($${max_cost}) leaves no room`);
    const before = call.cost;
    try {
      const member = await askMember(call, { request: again, targets, askCandidates: askInOrder });
      return merge(voted, { asked, member, stand });
    } catch (thrown) {
      if (call.cancelled) throw thrown;
      return stand(asked, `it failed (${toGatewayError(thrown).code})`);
    } finally {
      escalation.close(call.cost - before);
    }
  });
}

/** Whose decisions a share and a sum are reckoned over: those of a key, or of the trusted caller, that ask for the same model. */
function scopeOf({ access, modelRequested }: Call): string {
  return `${access?.keyId ?? ""}\n${modelRequested}`;
}

async function findTargets({ call, request }: RoutedCall<DecisionRequest>, served: Target): Promise<readonly Target[]> {
  const { model } = request.escalate ?? {};
  if (model === undefined) return [served];
  return (await resolveRoute(call, "decide", { model, metadata: request.metadata })).targets;
}

interface AskedAgain {
  readonly asked: readonly CloseCall[];
  readonly member: EnsembleMember;
  readonly stand: (calls: readonly CloseCall[], why: string) => Votes;
}

/** The new outcomes in place of the close ones; a question that is declined now keeps its first answer. */
function merge(voted: Votes, { asked, member, stand }: AskedAgain): Votes {
  const [first, ...others] = voted.members;
  const outcomes: QuestionOutcome[] = [...voted.outcomes];
  const model = member.attempt.target.name;
  for (const [position, close] of asked.entries()) {
    const outcome = member.answer.outcomes[position];
    if (outcome?.kind !== "decided") stand([close], `${model} declined`);
    else {
      const escalated = { model, from: first.attempt.target.name, margin: close.margin };
      outcomes[close.at] = { ...outcome, escalated };
    }
  }
  for (const warning of member.attempt.warnings)
    if (!first.attempt.warnings.includes(warning)) first.attempt.warn(warning);
  return { outcomes, members: [first, ...others, member] };
}
