import type { StoredToolApprovals } from "../../../ports/tools/approvals.ts";
import type { ToolDescription } from "../../../ports/tools/tool-server.ts";
import { describeAsJson } from "./fingerprint.ts";

/** A tool that is approved as it is described now. */
export interface DescriptionApproval {
  readonly tool: string;
  readonly print: string;
  /** What was approved, as JSON text. */
  readonly description: string | undefined;
}

/** Characters of descriptions that are stored of one tool, and of all tools of a server; longer ones have a fingerprint only. */
const [longestDescription, mostDescriptions] = [16_384, 1_048_576];

/** The approval of a tool whose description has this fingerprint. */
export function approvalOf(tool: string, described: Omit<ToolDescription, "name">, print: string): DescriptionApproval {
  return { tool, print, description: describeAsJson(tool, described) };
}

/** The fields of a record with approvals added, those there already replaced. */
export function mergeApprovals(
  stored: StoredToolApprovals | undefined,
  approved: readonly DescriptionApproval[],
): Pick<StoredToolApprovals, "fingerprints" | "descriptions"> {
  const fingerprints = new Map(stored?.fingerprints);
  const descriptions = new Map(stored?.descriptions);
  let length = [...descriptions.values()].reduce((sum, text) => sum + text.length, 0);
  for (const { tool, print, description = "" } of approved) {
    fingerprints.set(tool, print);
    length -= descriptions.get(tool)?.length ?? 0;
    descriptions.delete(tool);
    const isStored = description !== "" && description.length <= longestDescription;
    if (!isStored || length + description.length > mostDescriptions) continue;
    descriptions.set(tool, description);
    length += description.length;
  }
  return { fingerprints: [...fingerprints], descriptions: [...descriptions] };
}
