import { toGatewayError } from "../../errors.ts";
import type { ToolApprovalMode } from "../../ports/tools/approvals.ts";
import type { ToolDescription, ToolServer, ToolServerState } from "../../ports/tools/tool-server.ts";
import type { Abortable } from "../../runtime/abortable.ts";
import type { Ports } from "../runtime/ports.ts";
import { checkApprovals, readApprovals } from "./approvals/check-approvals.ts";
import type { HeldReason } from "./approvals/held-reason.ts";
import { type CallableTool, describedTools } from "./described-tools.ts";

/** A tool as its server describes it now, for those who administer it. */
export interface ReviewedTool extends CallableTool {
  /** `none` where the server is not held to approved descriptions. */
  readonly approval: "none" | "approved" | HeldReason;
  /** What was approved, where it is another description and was stored. */
  readonly approved?: ToolDescription | undefined;
  /** US dollars for one call. */
  readonly price: number;
}

/** A configured server, how its connection is and what it offers. */
export interface ReviewedServer {
  readonly name: string;
  readonly transport?: "http" | "stdio" | undefined;
  readonly approval?: ToolApprovalMode | undefined;
  /** After it was asked for its tools. */
  readonly connection?: ToolServerState | undefined;
  /** Absent where it did not say. */
  readonly tools?: readonly ReviewedTool[] | undefined;
  /** Why it did not say its tools. */
  readonly message?: string | undefined;
}

/** Which servers are looked at, and how long one may take for its list. */
export interface ToolReviewRequest {
  /** Names of servers; all of them unless given. */
  readonly servers?: readonly string[] | undefined;
  /** 20,000 milliseconds unless given. */
  readonly timeoutMs?: number | undefined;
  readonly signal?: Abortable | undefined;
}

/** Looks at the configured servers and all of their tools, held ones included. Credentials are in no part of the answer. */
export async function reviewTools(ports: Ports, request: ToolReviewRequest): Promise<readonly ReviewedServer[]> {
  const { servers } = request;
  const meant = [...ports.tools].filter(([name]) => servers === undefined || servers.includes(name));
  return Promise.all(meant.map(([name, server]) => reviewServer(ports, { name, server }, request)));
}

interface NamedServer {
  readonly name: string;
  readonly server: ToolServer;
}

async function reviewServer(
  ports: Ports,
  { name, server }: NamedServer,
  request: ToolReviewRequest,
): Promise<ReviewedServer> {
  const { transport, approval } = server;
  const known = { name, ...(transport ? { transport } : {}), ...(approval ? { approval } : {}) };
  const found = await toolsOf(ports, { name, server }, request).catch((thrown: unknown) => ({
    message: toGatewayError(thrown).message,
  }));
  const connection = server.state?.();
  return { ...known, ...(connection ? { connection } : {}), ...found };
}

async function toolsOf(
  ports: Ports,
  { name, server }: NamedServer,
  { signal, timeoutMs }: ToolReviewRequest,
): Promise<Pick<ReviewedServer, "tools">> {
  const described = await describedTools(ports, name, { server, signal, timeoutMs });
  const { approval: mode } = server;
  const held = mode && (await checkApprovals(ports, name, { tools: described, mode }));
  const stored = held && held.size > 0 ? await readApprovals(ports, name) : undefined;
  const approved = new Map(stored?.record.descriptions);
  const tools = described.map((each): ReviewedTool => {
    const reason = held?.get(each.tool);
    const before = reason === "changed" ? approved.get(each.tool) : undefined;
    return {
      ...each,
      approval: reason ?? (held ? "approved" : "none"),
      ...(before === undefined ? {} : { approved: JSON.parse(before) as ToolDescription }), // as it was written
      price: server.priceOf(each.tool),
    };
  });
  return { tools };
}
