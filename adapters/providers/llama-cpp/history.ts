import type { ChatMessage } from "../../../src/engine/api/message.ts";
import type { FunctionResult, HistoryItem } from "./library.ts";

/** Our messages as the library's history, which ends with the response that is to be written. */
export function toHistory(messages: readonly ChatMessage[], warn: (what: string) => void): HistoryItem[] {
  const items: HistoryItem[] = [];
  const open = new Map<string, FunctionResult>();
  for (const message of messages) {
    const { role, content, tool_calls = [], tool_call_id = "" } = message;
    if (role === "tool") {
      const call = open.get(tool_call_id);
      if (call) call.result = textOf(content, warn);
    } else if (role === "assistant") {
      const calls = tool_calls.map(({ id = "", function: called }): FunctionResult => {
        const call = {
          type: "functionCall" as const,
          name: called?.name ?? "",
          params: parse(called?.arguments),
          result: "",
        };
        open.set(id, call);
        return call;
      });
      const text = textOf(content, warn);
      items.push({ type: "model", response: [...(text === "" ? [] : [text]), ...calls] });
    } else items.push({ type: role === "user" ? "user" : "system", text: textOf(content, warn) });
  }
  if (items.at(-1)?.type !== "model") items.push({ type: "model", response: [] });
  return items;
}

function textOf(content: ChatMessage["content"], warn: (what: string) => void): string {
  if (typeof content === "string") return content;
  return (content ?? [])
    .map((part) => {
      if (part.type === "text") return part.text;
      warn(`parts of the type \`${part.type}\``);
      return "";
    })
    .join("");
}

function parse(text: string | undefined): unknown {
  try {
    return JSON.parse(text || "{}");
  } catch {
    return text; // an earlier call that was cut short
  }
}
