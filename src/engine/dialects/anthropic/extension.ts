import type { ChatRequest } from "../../api/chat.ts";

/** What every search of the vendor's has, and no limit of one. */
const searchNames = new Set(["type", "name", "user_location"]);

/** The paths of what a request says to Anthropic's models only, for the warnings of other targets. */
export function extensionPaths({ anthropic = {} }: ChatRequest): string[] {
  return Object.entries(anthropic).flatMap(([field, value]) => {
    if (value === undefined || value === null) return [];
    const at = `anthropic.${field}`;
    if (field === "tools" && Array.isArray(value)) return value.map((_tool, index) => `${at}.${index}`);
    if (field !== "web_search") return Array.isArray(value) && value.length === 0 ? [] : [at];
    return Object.keys(value)
      .filter((limit) => !searchNames.has(limit))
      .map((limit) => `${at}.${limit}`);
  });
}

/** True for the `type` of a tool of the vendor's that the caller runs, or that searches the caller's tools. */
export function isCallerRun(type: string): boolean {
  return /^(bash|text_editor|memory|computer|tool_search_tool_[a-z0-9]+)_\d+$/.test(type);
}

/** True for the `type` of the vendor's web search. */
export function isWebSearch(type: string): boolean {
  return /^web_search_\d+$/.test(type);
}
