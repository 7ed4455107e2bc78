import { isGatewayError } from "../../../errors.ts";
import type { RunTool } from "./collect-tools.ts";
import type { RunState } from "./run-state.ts";
import type { Approval, AskedToolCall, ToolRunCall } from "./tool-run.ts";
import { textOfAnswer, textOfValue } from "./tool-text.ts";
import { dollarsOf } from "./totals.ts";

/** A call that is to be made or refused. */
export interface DecidedCall {
  readonly call: AskedToolCall;
  readonly tool: RunTool | undefined;
  readonly approval: Exclude<Approval, "ask">;
}

type Outcome = Pick<ToolRunCall, "outcome" | "output"> & { readonly cost?: number };

/** What became of a call. Rejects only where the run is over, or the gateway is. */
export async function makeCall(state: RunState, { call, tool, approval }: DecidedCall): Promise<Outcome> {
  if (!tool) return { outcome: "unknown", output: `There is no tool \`${call.name.slice(0, 200)}\`.` };
  if (approval !== true) {
    const reason = typeof approval === "object" ? approval.refused : "The call was refused.";
    return { outcome: "refused", output: reason };
  }
  if (isSpent(state)) return { outcome: "refused", output: "The call was not made: the run has spent what it may." };
  const { arguments: provided } = call;
  if (!provided) return { outcome: "failed", output: "The arguments are no JSON object." };
  try {
    return await ask(state, call, { tool, provided });
  } catch (thrown) {
    state.deadline.signal.throwIfAborted();
    if (isGatewayError(thrown) && endsRun.has(thrown.code)) throw thrown;
    return { outcome: "failed", output: messageOf(thrown) };
  }
}

/** Failures after which no other call can succeed. */
const endsRun: ReadonlySet<string> = new Set([
  "request_cancelled",
  "shutting_down",
  "virtual_key_not_found",
  "virtual_key_blocked",
]);

/** True once the run has spent what it may. */
export function isSpent({ cost, options: { maxCost } }: Pick<RunState, "cost" | "options">): boolean {
  return maxCost !== undefined && cost >= maxCost;
}

interface AskedTool {
  readonly tool: RunTool;
  readonly provided: Record<string, unknown>;
}

async function ask(state: RunState, call: AskedToolCall, { tool, provided }: AskedTool): Promise<Outcome> {
  const { deadline, options, parts } = state;
  const { signal } = deadline;
  if (tool.kind === "local") {
    const answered = Promise.resolve().then(() => tool.tool.run(provided, { id: call.id, signal }));
    return { outcome: "answered", output: textOfValue(await deadline.within(answered)) };
  }
  const { key, keyId, timeouts, middleware, toolTokens } = options.turnOptions;
  const answer = await parts.mcp.call(
    { name: call.name, arguments: provided },
    {
      key,
      keyId,
      timeouts,
      middleware,
      toolTokens,
      signal,
      onProgress: (progress) => state.notify({ type: "progress", call, progress }),
    },
  );
  const outcome = answer.isError === true ? "failed" : "answered";
  return { outcome, output: textOfAnswer(answer), cost: dollarsOf(answer.usage) };
}

function messageOf(thrown: unknown): string {
  const { message } = (thrown ?? {}) as { readonly message?: unknown };
  return typeof message === "string" && message !== "" ? textOfValue(message) : "The tool failed.";
}
