import { lateMethods } from "../../runtime/late-methods.ts";
import type { RunParts } from "./run/run-parts.ts";
import type { ToolRuns } from "./run/tool-runs.ts";

/** Runs that each use what is live when they begin. What they need is loaded with the first. */
export function toolRunsOf(live: () => RunParts): ToolRuns {
  return lateMethods(
    async () => (await import("./open-requests.ts")).openToolRuns(live()),
    ["runTools", "streamTools"],
  );
}
