import { GatewayError } from "../../../errors.ts";
import type { Records, Stored } from "../../../ports/records.ts";
import type { ToolApprovalMode } from "../../../ports/tools/approvals.ts";
import type { Ports } from "../../runtime/ports.ts";
import type { CallableTool } from "../described-tools.ts";
import { approvalOf, type DescriptionApproval, mergeApprovals } from "./approval-record.ts";
import { fingerprintOf } from "./fingerprint.ts";
import type { HeldReason } from "./held-reason.ts";

/** The tools that are held back, by the server's own names. */
export type HeldTools = ReadonlyMap<string, HeldReason>;

/** Descriptions that are kept of one server: one that invents names without end fills no store. */
const mostFingerprints = 10_000;

/** Times that a record is read and written again where another process was faster. */
const mostTries = 5;

interface CheckedTools {
  readonly records: Records;
  readonly stamp: number;
  readonly mode: ToolApprovalMode;
  readonly held: HeldTools;
}

/** What was found of a list, for as long as neither it nor a record changes. */
const checked = new WeakMap<readonly CallableTool[], CheckedTools>();

const kinds = ["tool_approval"] as const;

/** Finds the tools of a server that are not approved; under `first_use`, those that were never listed are approved now. */
export async function checkApprovals(
  ports: Ports,
  server: string,
  { tools, mode }: { readonly tools: readonly CallableTool[]; readonly mode: ToolApprovalMode },
): Promise<HeldTools> {
  const records = recordsOf(ports);
  const known = checked.get(tools);
  let stamp = records.stamp(kinds);
  if (known?.records === records && known.stamp === stamp && known.mode === mode) return known.held;
  for (let tries = 0; tries < mostTries; tries++) {
    stamp = records.stamp(kinds);
    const stored = await readApprovals(ports, server);
    const { held, fresh } = compare(tools, new Map(stored?.record.fingerprints), mode);
    if (fresh.length > 0 && !(await writeApprovals(ports, server, { stored, approved: fresh }))) continue;
    if (fresh.length === 0) checked.set(tools, { records, stamp, mode, held }); // what was written is read again
    return held;
  }
  throw new GatewayError("conflict", `The approvals of \`${server}\` are being changed by others.`);
}

/** What is held back, and what is approved now. */
function compare(tools: readonly CallableTool[], approved: ReadonlyMap<string, string>, mode: ToolApprovalMode) {
  const held = new Map<string, HeldReason>();
  const fresh: DescriptionApproval[] = [];
  for (const { tool, ...described } of tools) {
    const print = fingerprintOf(tool, described);
    const known = approved.get(tool);
    if (known !== undefined && known === print) continue;
    const isFirst = known === undefined && print !== undefined && mode === "first_use";
    if (isFirst && approved.size + fresh.length < mostFingerprints) fresh.push(approvalOf(tool, described, print));
    else held.set(tool, known === undefined ? "new" : "changed");
  }
  return { held, fresh };
}

type StoredApprovals = Stored<"tool_approval"> | undefined;

/** The approvals of a server. */
export async function readApprovals(ports: Ports, server: string): Promise<StoredApprovals> {
  const reading = Promise.resolve(recordsOf(ports).get("tool_approval", server));
  return ports.accounting.timeouts.long.wait(reading, "store");
}

/** Adds to the approvals of a server, those there already replaced; false where another process was faster. */
export async function writeApprovals(
  ports: Ports,
  server: string,
  { stored, approved }: { readonly stored: StoredApprovals; readonly approved: readonly DescriptionApproval[] },
): Promise<boolean> {
  const created_at = stored?.record.created_at ?? new Date(ports.clock.now()).toISOString();
  const record = { id: server, created_at, ...mergeApprovals(stored?.record, approved) };
  const writing = Promise.resolve(recordsOf(ports).put("tool_approval", record, stored?.version ?? 0));
  const outcome = await ports.accounting.timeouts.long.wait(writing, "store");
  return outcome.kind === "stored";
}

function recordsOf({ toolRecords }: Ports): Records {
  if (toolRecords) return toolRecords;
  throw new GatewayError(
    "invalid_configuration",
    "Approved descriptions of tools are kept in a store, and there is none.",
  );
}
