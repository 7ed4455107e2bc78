import type { AnswerOf } from "../../../../src/operations/calls.ts";
import type { Areas } from "../../../../src/operations/portal/table.ts";

/** An MCP server as the list has it. */
export type ToolServer = AnswerOf<Areas["ai"]["toolServers"]>[number];

/** A tool of an MCP server as it is described now. */
export type Tool = AnswerOf<Areas["ai"]["tools"]>[number];

export const stateMoods = { idle: "plain", connecting: "plain", connected: "good", failing: "bad" } as const satisfies {
  readonly [State in ToolServer["state"]]: string;
};

export const approvalMoods = { none: "plain", approved: "good", new: "warn", changed: "bad" } as const satisfies {
  readonly [Approval in NonNullable<Tool["approval"]>]: string;
};

/** True for a tool that is not called until it is approved. */
export function isHeld({ approval }: Pick<Tool, "approval">): boolean {
  return approval === "new" || approval === "changed";
}

const fields = ["title", "description", "input_schema", "output_schema", "annotations"] as const;

/** One field of a description that is another one than was approved. */
export interface FieldChange {
  readonly field: (typeof fields)[number];
  /** As text; empty where there was, or is, none. */
  readonly before: string;
  readonly after: string;
}

/** What changed of a tool since it was approved; undefined where what was approved is not known. */
export function changesOf(tool: Tool): readonly FieldChange[] | undefined {
  const { approved } = tool;
  if (!approved) return undefined;
  const changes = fields.map((field) => ({ field, before: asText(approved[field]), after: asText(tool[field]) }));
  return changes.filter(({ before, after }) => before !== after);
}

function asText(value: unknown): string {
  if (value === undefined) return "";
  return typeof value === "string" ? value : JSON.stringify(value, inOrder, 2);
}

/** The order of fields is no change. */
function inOrder(_field: string, value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)));
}
