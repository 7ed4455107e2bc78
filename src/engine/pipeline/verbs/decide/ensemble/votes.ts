import type { DecisionRequest } from "../../../../api/decisions.ts";
import { type Ballot, countBallots } from "../../../../decisions/ensembles/mean-outcome.ts";
import type { QuestionOutcome } from "../../../../decisions/outcome.ts";
import { GatewayError, toGatewayError } from "../../../../errors.ts";
import type { Target } from "../../../../routing/plan.ts";
import { askInOrder } from "../../../attempts/candidates.ts";
import type { RoutedCall } from "../../../call/routed-call.ts";
import { resolveRoute } from "../../../routing/resolve.ts";
import { askMember, type EnsembleMember } from "./member.ts";

/** What came of the models that were asked, and the models. */
export interface Votes {
  readonly outcomes: readonly QuestionOutcome[];
  /** The first is the one that the answer is delivered for. */
  readonly members: readonly [EnsembleMember, ...EnsembleMember[]];
}

/** A voter and its targets, or why it has none. */
type Voter = { readonly model: string } & ({ readonly targets: readonly Target[] } | { readonly error: GatewayError });

/**
 * Asks the model of a request and its voters at the same time; the outcome is the mean of their distributions. A voter that fails is named
 * in a warning; with fewer than `min_votes` answers the first failure is the error. No target votes twice.
 */
export async function askVoters(routed: RoutedCall<DecisionRequest>, votes: readonly string[]): Promise<Votes> {
  const { call, request } = routed;
  const voters = await findVoters(routed, votes);
  const least = request.min_votes ?? Math.floor(voters.length / 2) + 1;
  const outcomes = await Promise.allSettled(askEach(routed, voters));
  if (call.cancelled) throw call.cancelled;
  const members = outcomes.flatMap((outcome) => (outcome.status === "fulfilled" ? [outcome.value] : []));
  const failed = outcomes.flatMap((outcome, at) => {
    if (outcome.status === "fulfilled") return [];
    return [{ model: (voters[at] as Voter).model, error: toGatewayError(outcome.reason) }];
  });
  const [first, ...rest] = members;
  if (first === undefined || members.length < least) throw tooFew(failed, { answered: members.length, least });
  for (const { model, error } of failed) first.attempt.warn(`votes: ${model} did not vote (${error.code})`);
  for (const { attempt } of rest)
    for (const warning of attempt.warnings) if (!first.attempt.warnings.includes(warning)) first.attempt.warn(warning);
  const ballots = members.map(
    ({ attempt, answer }): Ballot => ({ voter: attempt.target.name, outcomes: answer.outcomes }),
  );
  return { members: [first, ...rest], outcomes: countBallots(ballots, Math.min(least, ballots.length)) };
}

/** The targets of every voter, without those that an earlier one has. */
async function findVoters(
  { call, request, targets }: RoutedCall<DecisionRequest>,
  votes: readonly string[],
): Promise<readonly Voter[]> {
  const voters: Voter[] = [];
  const { metadata } = request;
  const routes = await Promise.all(
    votes.map((model) =>
      resolveRoute(call, "decide", { model, metadata }).then(({ targets: found }) => found, toGatewayError),
    ),
  );
  const named = new Set(
    routes.flatMap((route) => (route instanceof GatewayError ? [] : route.slice(0, 1).map(({ name }) => name))),
  );
  const [asked, ...fallbacks] = targets;
  const own = [...(asked ? [asked] : []), ...fallbacks.filter(({ name }) => !named.has(name))];
  const taken = new Set(own.map(({ name }) => name));
  voters.push({ model: request.model, targets: own });
  for (const [at, route] of routes.entries()) {
    const model = votes[at] as string;
    if (route instanceof GatewayError) {
      voters.push({ model, error: route });
      continue;
    }
    const free = route.filter(({ name }) => !taken.has(name));
    for (const { name } of free) taken.add(name);
    voters.push(free.length > 0 ? { model, targets: free } : { model, error: votesAlready(model) });
  }
  return voters;
}

/** Starts all, the next one when the one before has reserved: limits count the request once. */
function askEach(
  { call, request }: RoutedCall<DecisionRequest>,
  voters: readonly Voter[],
): readonly Promise<EnsembleMember>[] {
  let previous: Promise<void> = Promise.resolve();
  return voters.map(async (voter) => {
    const before = previous;
    let free = () => {};
    previous = new Promise((resolve) => {
      free = resolve;
    });
    try {
      await before;
      if ("error" in voter) throw voter.error;
      const { targets } = voter;
      return await askMember(call, { request, targets, askCandidates: askInOrder, onAsked: () => free() });
    } finally {
      free();
    }
  });
}

function votesAlready(model: string): GatewayError {
  return new GatewayError("invalid_request", `\`votes\`: ${model} votes already.`, { param: "votes" });
}

interface FailedVoter {
  readonly model: string;
  readonly error: GatewayError;
}

function tooFew(
  [first]: readonly FailedVoter[],
  { answered, least }: { readonly answered: number; readonly least: number },
): GatewayError {
  if (!first) return new GatewayError("internal", `${answered} of ${least} voters answered.`);
  return first.error;
}
