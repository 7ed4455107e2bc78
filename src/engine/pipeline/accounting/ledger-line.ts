import type { Rates } from "../../api/rates.ts";
import type { Usage } from "../../api/usage.ts";
import type { GatewayError } from "../../errors.ts";
import type { Bill } from "../../metering/cost.ts";
import { partOf } from "../../metering/counts.ts";
import type { LedgerAttempt } from "../../ports/ledger.ts";
import type { ModelFacts } from "../../ports/prices.ts";
import type { Target } from "../../routing/plan.ts";
import { type Call, since } from "../call/call.ts";

/** The target, when it was asked, and its price. */
export interface PricedTarget {
  readonly target: Target;
  /** The instant of the reservation. */
  readonly at: number;
  /** The known facts of the model, including its price. */
  readonly facts: ModelFacts | undefined;
  /** Rates at which the call is counted where its price is unknown; absent where no soft budget is on the way. */
  readonly substitute?: Rates | undefined;
}

/** What the target gave, as far as it is billed. */
export interface Consumption {
  /** Why it failed; absent when it answered. */
  readonly error?: GatewayError | undefined;
  /** As {@link soundUsage} gives it. */
  readonly usage?: Usage | undefined;
  /** The usage of each call, where the target was asked in parts; they sum to `usage`. */
  readonly parts?: readonly Usage[] | undefined;
  /** The usage was counted by us. */
  readonly isEstimated?: boolean | undefined;
  /** Dollars that the vendor states for an answer whose usage was counted by us. */
  readonly statedCost?: number | undefined;
  readonly serviceTier?: string | null | undefined;
  /** The model that answered, as the vendor names it. */
  readonly servedModel?: string | undefined;
  readonly credential?: string | undefined;
  /** Milliseconds since the epoch. */
  readonly firstContentAt?: number | undefined;
}

interface LedgerLine {
  readonly charge: PricedTarget;
  readonly consumption: Consumption;
  readonly bill: Bill | undefined;
}

/** Adds up the cost of a target that was asked, and writes its line. */
export function recordAttempt(call: Call, line: LedgerLine): void {
  call.cost += line.bill?.total ?? 0;
  const isWritten = !call.cache?.hit || call.middleware?.asking; // a hit has no line of its own, what middleware asks has one
  if (call.ports.accounting.ledger && isWritten) call.ledgerLines = [...call.ledgerLines, ledgerLineOf(call, line)];
}

function ledgerLineOf(
  { ports }: Call,
  { charge: { target, at, facts }, consumption: spent, bill }: LedgerLine,
): LedgerAttempt {
  const now = ports.clock.now();
  const { error, usage, firstContentAt } = spent;
  const { prompt_tokens = 0, completion_tokens = 0 } = usage ?? {};
  return {
    at,
    provider: target.provider,
    model: target.name,
    credential: spent.credential,
    status: error?.status ?? 200,
    reason: error?.code ?? "ok",
    latency: since(at, now),
    time_to_first_token: firstContentAt === undefined ? undefined : since(at, firstContentAt),
    prompt_tokens,
    completion_tokens,
    cached_read_tokens: partOf(usage?.prompt_tokens_details?.cached_read_tokens, prompt_tokens),
    cached_write_tokens: partOf(usage?.prompt_tokens_details?.cached_write_tokens, prompt_tokens),
    reasoning_tokens: partOf(usage?.completion_tokens_details?.reasoning_tokens, completion_tokens),
    cost: bill?.total ?? 0,
    items: bill?.items ?? [],
    price_version: facts?.rates && (facts.version ?? ports.accounting.prices.version),
    is_estimated: spent.isEstimated === true,
    is_unpriced: usage !== undefined && (!bill || bill.unpriced.length > 0),
  };
}
