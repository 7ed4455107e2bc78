import type { ExtraFields } from "../../api/common.ts";
import type { Usage } from "../../api/usage.ts";
import { GatewayError } from "../../errors.ts";
import type { Bill } from "../../metering/cost.ts";
import { settleCharge, settleEarly } from "../accounting/charge.ts";
import { sumOfParts } from "../accounting/consumption.ts";
import { estimateWhole, reportedUsage } from "../accounting/count-tokens.ts";
import type { Consumption } from "../accounting/ledger-line.ts";
import { settleCall } from "../accounting/settle.ts";
import { type Attempt, endAttempt } from "../attempts/attempt.ts";
import type { Candidates } from "../attempts/candidates.ts";
import type { Served } from "../attempts/target.ts";
import { type Call, since } from "../call/call.ts";
import { addRaw, withCost } from "./chunk-writer.ts";

/** The target that served, now or when the answer was stored. */
interface ServingTarget {
  readonly provider: string;
  readonly deployment: string;
  readonly warnings: readonly string[];
}

/** The target of a whole answer and its latency in milliseconds. */
export function extraFields(call: Call, { provider, deployment, warnings }: ServingTarget): ExtraFields {
  return {
    request_type: call.requestType,
    provider,
    model_requested: call.modelRequested,
    model_deployment: deployment,
    latency: since(call.startedAt, call.ports.clock.now()),
    ...(call.cache ? { cache_debug: call.cache.debug } : {}),
    ...(warnings.length > 0 ? { warnings: [...warnings] } : {}),
  };
}

/** Warns of an unknown or incomplete price. */
function warnUnpriced({ target, warnings }: Attempt, usage: Usage | undefined, bill: Bill | undefined): void {
  if (!usage) return;
  if (!bill) warnings.push(`unpriced: no price of ${target.name} is known`);
  else if (bill.unpriced.length > 0)
    warnings.push(`unpriced: ${bill.unpriced.join(", ")} of ${target.name} have no price`);
}

/** The fields of a whole answer on its own consumption. */
interface UsageReporting {
  readonly usage?: Usage | undefined;
  readonly service_tier?: unknown;
  readonly model?: unknown;
}

/** Closes a whole answer: settles the call, names the target, and words what the caller gets by `toPublic`. */
export async function deliverWhole<Answer extends UsageReporting>(
  call: Call,
  served: Served<Answer>,
  toPublic?: (answer: Answer) => Answer,
): Promise<Answer & { extra_fields: ExtraFields }> {
  const { attempt } = served;
  const usage = settleWhole(call, served);
  return closeWhole(call, attempt, { answer: toPublic ? toPublic(served.answer) : served.answer, usage });
}

/** A whole answer in public words, whose charge is settled, and what it used. */
export interface SettledAnswer<Answer> {
  readonly answer: Answer;
  readonly usage: Usage | undefined;
}

/** Settles the call of a whole answer and adds who served. */
export async function closeWhole<Answer extends UsageReporting>(
  call: Call,
  attempt: Attempt,
  { answer, usage }: SettledAnswer<Answer>,
): Promise<Answer & { extra_fields: ExtraFields }> {
  const { warnings, target } = attempt;
  const extra = extraFields(call, { provider: target.provider, deployment: attempt.model, warnings });
  addRaw(extra, attempt);
  const written = settleCall(call, { status: 200, reason: "ok", target: target.name, usage, warnings });
  if (written) await written;
  if (usage) return { ...answer, usage, extra_fields: extra };
  const { usage: _unreadable, ...rest } = answer;
  return { ...rest, extra_fields: extra } as Answer & { extra_fields: ExtraFields }; // a usage may be missing
}

/** Bills a whole answer that no caller gets, since another target answered first. */
export function discardWhole({ call }: Candidates, served: Served<UsageReporting>): void {
  settleWhole(call, served, settleEarly);
}

/** Ends the attempt of a whole answer, settles its charge with `close`, and returns the reported usage with its cost. */
export function settleWhole(
  call: Call,
  { attempt, charge, answer }: Served<UsageReporting>,
  close = settleCharge,
): Usage | undefined {
  endAttempt(call, attempt);
  const { credential } = attempt;
  try {
    const serviceTier = typeof answer.service_tier === "string" ? answer.service_tier : undefined;
    const reported = reportedUsage(attempt, answer.usage);
    const bill = close(call, charge, {
      ...consumedBy(call, attempt, { answer, reported }),
      servedModel: typeof answer.model === "string" ? answer.model : undefined,
      serviceTier,
      statedCost: attempt.consumed.statedCost,
      credential,
    });
    warnUnpriced(attempt, reported, bill);
    return withCost(reported, bill);
  } finally {
    settleEarly(call, charge, { error: unreadable, credential }); // no effect unless the provider's answer is unusable
  }
}

const unreadable = new GatewayError("internal", "The provider's answer is none.");

/** A whole answer, and the usage it reports. */
interface ReportedAnswer {
  readonly answer: UsageReporting;
  readonly reported: Usage | undefined;
}

function consumedBy(call: Call, attempt: Attempt, { answer, reported }: ReportedAnswer): Omit<Consumption, "error"> {
  const { subCalls: parts } = attempt.consumed;
  if (parts) return sumOfParts(parts);
  if (reported) return { usage: reported, isEstimated: false };
  const estimated = estimateWhole(call, attempt, answer);
  return { usage: estimated, isEstimated: estimated !== undefined };
}
