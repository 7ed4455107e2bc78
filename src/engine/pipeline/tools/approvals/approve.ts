import { GatewayError } from "../../../errors.ts";
import { isMeant } from "../../../policy/tools/pattern.ts";
import type { Abortable } from "../../../runtime/abortable.ts";
import type { Ports } from "../../runtime/ports.ts";
import { describedTools } from "../described-tools.ts";
import { approvalOf } from "./approval-record.ts";
import { readApprovals, writeApprovals } from "./check-approvals.ts";
import { fingerprintOf } from "./fingerprint.ts";
import type { HeldReason } from "./held-reason.ts";

/** Which tools of a server are approved as they are described now. */
export interface ToolApprovalRequest {
  readonly server: string;
  /** Patterns of the server's own names; all of its tools unless given. */
  readonly tools?: readonly string[] | undefined;
  /** Says what would be approved, and approves nothing. */
  readonly isDryRun?: boolean | undefined;
  readonly signal?: Abortable | undefined;
  /** A token of the caller's own, for a server that is asked with one. */
  readonly userToken?: string | undefined;
}

/** A tool that was not approved as it is described now. */
export interface ApprovedTool {
  readonly tool: string;
  readonly was: HeldReason;
  readonly description?: string | undefined;
}

const mostTries = 5;

/** Approves tools as their server describes them now, whatever its setting is. Throws `not_found` for a server that is not configured. */
export async function approveTools(ports: Ports, request: ToolApprovalRequest): Promise<readonly ApprovedTool[]> {
  const { server: name, tools: patterns = ["*"], isDryRun = false, signal, userToken } = request;
  const server = ports.tools.get(name);
  if (!server) throw new GatewayError("not_found", `No MCP server \`${name}\` is configured.`, { param: "server" });
  const described = await describedTools(ports, name, { server, signal, userToken });
  const meant = described.filter(({ tool }) => patterns.some((pattern) => isMeant(pattern, tool)));
  for (let tries = 0; tries < mostTries; tries++) {
    const stored = await readApprovals(ports, name);
    const known = new Map(stored?.record.fingerprints);
    const changes = meant.flatMap(({ tool, ...shown }) => {
      const print = fingerprintOf(tool, shown);
      if (print === undefined || known.get(tool) === print) return [];
      const was = known.has(tool) ? ("changed" as const) : ("new" as const);
      const report = { tool, was, ...(shown.description ? { description: shown.description } : {}) };
      return [{ approval: approvalOf(tool, shown, print), report }];
    });
    const approved = changes.map(({ approval }) => approval);
    const isDone = isDryRun || changes.length === 0 || (await writeApprovals(ports, name, { stored, approved }));
    if (isDone) return changes.map(({ report }) => report);
  }
  throw new GatewayError("conflict", `The approvals of \`${name}\` are being changed by others.`);
}
