import type { ExtraFields } from "../api/common.ts";
import type { Usage } from "../api/usage.ts";
import { GatewayError } from "../errors.ts";
import type { Bill } from "../usage/cost.ts";
import { type Attempt, endAttempt } from "./attempt.ts";
import type { Spent } from "./bill.ts";
import { type Call, since } from "./call.ts";
import { estimateWhole, toldUsage } from "./estimate.ts";
import { settleCall } from "./settle.ts";
import { spentInParts } from "./spent.ts";
import { closeMidway, closeTab } from "./tab.ts";
import type { Served } from "./target.ts";
import { addRaw, withCost } from "./tell.ts";

/** Who served, now or when the answer was kept. */
interface Serving {
  readonly provider: string;
  readonly deployment: string;
  readonly warnings: readonly string[];
}

/** Who served a whole answer and how long it took, in milliseconds. */
export function extraFields(call: Call, { provider, deployment, warnings }: Serving): ExtraFields {
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

/** Warns of a price that is not known, or not in full. */
function warnUnpriced({ target, warnings }: Attempt, usage: Usage | undefined, bill: Bill | undefined): void {
  if (!usage) return;
  if (!bill) warnings.push(`unpriced: no price of ${target.name} is known`);
  else if (bill.unpriced.length > 0)
    warnings.push(`unpriced: ${bill.unpriced.join(", ")} of ${target.name} have no price`);
}

/** What a whole answer may say of its own consumption. */
interface Consuming {
  readonly usage?: Usage | undefined;
  readonly service_tier?: unknown;
}

/** Closes a whole answer: settles the call and says who served. */
export async function deliverWhole<Answer extends Consuming>(
  call: Call,
  served: Served<Answer>,
): Promise<Answer & { extra_fields: ExtraFields }> {
  const { attempt, answer } = served;
  const usage = closeWhole(call, served);
  const { warnings, target } = attempt;
  const extra = extraFields(call, { provider: target.provider, deployment: attempt.model, warnings });
  addRaw(extra, attempt);
  const written = settleCall(call, { status: 200, reason: "ok", target: target.name, usage, warnings });
  if (written) await written;
  if (usage) return { ...answer, usage, extra_fields: extra };
  const { usage: _unreadable, ...rest } = answer;
  return { ...rest, extra_fields: extra } as Answer & { extra_fields: ExtraFields }; // a usage may be missing
}

/** Ends the attempt of a whole answer and its tab, by `close`, and gives the usage that it tells with its cost. */
export function closeWhole(
  call: Call,
  { attempt, tab, answer }: Served<Consuming>,
  close = closeTab,
): Usage | undefined {
  endAttempt(call, attempt);
  const { credential } = attempt;
  try {
    const serviceTier = typeof answer.service_tier === "string" ? answer.service_tier : undefined;
    const told = toldUsage(attempt, answer.usage);
    const bill = close(call, tab, { ...consumedBy(call, attempt, { answer, told }), serviceTier, credential });
    warnUnpriced(attempt, told, bill);
    return withCost(told, bill);
  } finally {
    closeMidway(call, tab, { error: unreadable, credential }); // is closed, unless a provider's answer is none
  }
}

const unreadable = new GatewayError("internal", "The provider's answer is none.");

/** A whole answer, and the usage that it tells. */
interface Told {
  readonly answer: Consuming;
  readonly told: Usage | undefined;
}

function consumedBy(call: Call, attempt: Attempt, { answer, told }: Told): Omit<Spent, "error"> {
  const { parts } = attempt.approach;
  if (parts) return spentInParts(parts);
  if (told) return { usage: told, isEstimated: false };
  const estimated = estimateWhole(call, attempt, answer);
  return { usage: estimated, isEstimated: estimated !== undefined };
}
