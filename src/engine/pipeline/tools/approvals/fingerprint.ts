import { createHash } from "node:crypto";
import type { ToolDescription } from "../../../ports/tools/tool-server.ts";

/**
 * A hash of all that a model, or a client on its behalf, is shown of a tool: the same whatever order its fields are in. `undefined` for what
 * is no JSON, or nests too deeply, and cannot be approved.
 */
export function fingerprintOf(name: string, tool: Omit<ToolDescription, "name">): string | undefined {
  const text = describeAsJson(name, tool);
  return text === undefined ? undefined : createHash("sha256").update(text).digest("base64url");
}

/** What is shown of a tool, as the JSON text that its fingerprint is made of. */
export function describeAsJson(name: string, tool: Omit<ToolDescription, "name">): string | undefined {
  const { title, description, inputSchema, outputSchema, annotations } = tool;
  try {
    return JSON.stringify({ name, title, description, inputSchema, outputSchema, annotations }, inOrder);
  } catch {
    return undefined;
  }
}

/** The fields of an object by their names. */
function inOrder(_field: string, value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)));
}
