import type { ToolCallResponse } from "../../../api/mcp/call.ts";

/** Characters of a result that a model reads. */
const longestResult = 200_000;

/** What a model reads of a tool's answer: its texts; of other blocks what they are; the structured content where there is no block. */
export function textOfAnswer({ content, structuredContent }: ToolCallResponse): string {
  if (content.length === 0 && structuredContent) return bounded(JSON.stringify(structuredContent));
  return bounded(content.map(textOfBlock).join("\n"));
}

/** What a model reads of a function's answer: a text as it is, anything else as JSON. */
export function textOfValue(value: unknown): string {
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
