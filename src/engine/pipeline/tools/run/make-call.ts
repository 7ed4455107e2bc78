import type { ToolCallResponse } from "../../../api/mcp/call.ts";
import { isGatewayError } from "../../../errors.ts";
import type { RunTool } from "./collect-tools.ts";
import type { RunState } from "./run-state.ts";
import type { Approval, AskedToolCall, ToolRunCall } from "./tool-run.ts";
import { dollarsOf } from "./totals.ts";

/** Characters of a result that a model reads. */
const longestResult = 200_000;

/** What a model reads of a tool's answer: its texts; of other blocks what they are; the structured content where there is no block. */
function textOfAnswer({ content, structuredContent }: ToolCallResponse): string {
  if (content.length === 0 && structuredContent) return bounded(JSON.stringify(structuredContent));
  return bounded(content.map(textOfBlock).join("\n"));
}

/** What a model reads of a function's answer: a text as it is, anything else as JSON. */
function textOfValue(value: unknown): string {
  if (typeof value === "string") return bounded(value);
  return bounded(value === undefined ? "" : (JSON.stringify(value) ?? ""));
}

type AnswerBlock = ToolCallResponse["content"][number];

function textOfBlock(block: AnswerBlock): string {
  if (typeof block.text === "string") return block.text;
  const { type, uri, resource, mimeType } = block as Readonly<Record<string, unknown>>;
  const { text, uri: address } = (resource ?? {}) as { readonly text?: unknown; readonly uri?: unknown };
  if (typeof text === "string") return text;
  return `[${[type, mimeType, uri ?? address].filter((part) => typeof part === "string").join(" ")}]`;
}

/** A result that is too long says so where it ends. */
function bounded(text: string): string {
  if (text.length <= longestResult) return text;
  return `${text.slice(0, longestResult)}\n[The result has ${text.length} characters; the rest is left out.]`;
}

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
