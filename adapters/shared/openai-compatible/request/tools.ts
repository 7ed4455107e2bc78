import type { ChatRequest } from "../../../../src/engine/api/chat.ts";
import type { Tool } from "../../../../src/engine/api/tools.ts";
import type { RequestTarget } from "../compatibility-profile.ts";
import { withoutCacheControl } from "./messages.ts";

/** The tools as the vendor takes them; a list that needs no change is passed on as it is. */
export function toolsToWire(tools: ChatRequest["tools"], to: RequestTarget): unknown {
  const marks = !to.dialect.keepsCacheControl && tools?.some((tool) => tool.cache_control !== undefined);
  const whole = tools?.some(lacksProperties) ? tools.map(withProperties) : tools;
  return marks ? whole?.map((tool) => withoutCacheControl(tool, to)) : whole;
}

/** `{ "type": "object" }` is a whole schema for Anthropic, Gemini and MCP; OpenAI refuses one without `properties`. */
function lacksProperties(tool: Tool): boolean {
  const parameters = tool.function?.parameters;
  if (parameters === undefined || parameters.properties !== undefined) return false;
  return parameters.type === "object" || Object.keys(parameters).length === 0;
}

function withProperties(tool: Tool): Tool {
  if (tool.function === undefined || !lacksProperties(tool)) return tool;
  const parameters = { ...tool.function.parameters, type: "object", properties: {} };
  return { ...tool, function: { ...tool.function, parameters } };
}
