import { toGatewayError } from "../../../errors.ts";
import type { RunParts } from "./run-parts.ts";
import { nextTurn, openRun, resultOf } from "./run-state.ts";
import { resumeCalls, takeAnswer } from "./take-answer.ts";
import type { ToolRunOptions, ToolRunRequest, ToolRunResult } from "./tool-run.ts";

/** Runs a chat with its tools to its end. */
export async function runTools(
  parts: RunParts,
  request: ToolRunRequest,
  options: ToolRunOptions,
): Promise<ToolRunResult> {
  const state = await openRun(parts, request, options);
  const { deadline } = state;
  try {
    await resumeCalls(state);
    while (!state.ended) {
      const turn = nextTurn(state);
      await takeAnswer(state, await parts.requests.chat(turn.request, turn.options));
    }
    return resultOf(state);
  } catch (thrown) {
    throw toGatewayError(deadline.signal.aborted ? deadline.signal.reason : thrown);
  } finally {
    deadline.close();
  }
}
