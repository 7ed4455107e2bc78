import type { ChatRequest } from "../../api/chat.ts";
import { present } from "../../policy/drafts.ts";
import type { Timeouts } from "../../ports/provider.ts";
import type { Call } from "../call/call.ts";
import { timeoutsOfProvider } from "./provider-timeouts.ts";
import { hasReadyFallback, type TargetRun } from "./target-run.ts";

/** Milliseconds to the first content of a model that is known not to reason, while another candidate is ready. */
const promptFirstContent = 15_000;

/**
 * The deadlines of an attempt: the call's own, then those of its key, the provider and the engine. Where none of them limits the first
 * content of a stream and another candidate is ready, the limit follows from whether the model reasons (inference-resolved.md, 6.6).
 */
export function attemptTimeouts(run: TargetRun): Timeouts {
  const { call, target } = run;
  const { access, options, timeouts, ports } = call;
  const own = timeoutsOfProvider(ports, target.provider);
  const provided = own && { ...own, ...access?.timeouts, ...present({ ...options.timeouts }) };
  const limits = provided ? { ...timeouts, ...provided, whole: timeouts.whole } : timeouts;
  if (isWhole(call)) return withoutSilence(limits);
  const limit = own?.firstContent ?? access?.timeouts?.firstContent ?? options.timeouts?.firstContent;
  if (
    limit !== undefined ||
    ports.limitsFirstContent ||
    call.requestType !== "chat_completion_stream" ||
    !hasReadyFallback(run)
  )
    return limits;
  return { ...limits, firstContent: firstContentOf(run, limits) };
}

/** True for the answer of the call's verb that comes in one piece: its head comes with its last token. */
function isWhole({ requestType, facts }: Call): boolean {
  return requestType !== "chat_completion_stream" && facts?.kind === requestType;
}

function firstContentOf({ call, target }: TargetRun, { firstContent, firstContentMax }: Timeouts): number {
  const facts = call.ports.accounting.prices.find(target.provider, target.model, call.startedAt);
  const parameters = facts?.supported_parameters;
  if (parameters === undefined) return firstContent;
  const request = call.facts?.request as Partial<ChatRequest> | undefined; // of a streamed chat
  const reasons = parameters.includes("reasoning") && request?.reasoning?.effort !== "none";
  return reasons ? (firstContentMax ?? firstContent) : Math.min(promptFirstContent, firstContent);
}

function withoutSilence({ connect, whole }: Timeouts): Timeouts {
  return { connect, firstContent: whole, firstContentMax: whole, gap: whole, whole };
}
