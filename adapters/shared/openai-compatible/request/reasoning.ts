import type { ChatRequest } from "../../../../src/engine/api/chat.ts";
import { type RequestTarget, warnUnsupported } from "../compatibility-profile.ts";

type ReasoningRequest = NonNullable<ChatRequest["reasoning"]>;

/** The fields of the vendor's request that say what `reasoning` asks for. */
export function reasoningToWire(reasoning: ReasoningRequest, to: RequestTarget): Record<string, unknown> {
  const { reasoning: style } = to.dialect;
  if (style === "object") return { reasoning };
  const { effort, ...rest } = reasoning;
  for (const [field, value] of Object.entries(rest)) {
    if (value !== undefined && value !== null) warnUnsupported(to, `reasoning.${field}`);
  }
  if (effort === undefined) return {};
  if (style === "unsupported") {
    warnUnsupported(to, "reasoning.effort");
    return {};
  }
  const isOff = effort === "none";
  if (style === "thinking") {
    return isOff
      ? { thinking: { type: "disabled" } }
      : { thinking: { type: "enabled" }, reasoning_effort: effortToWire(effort, to) };
  }
  if (style === "enable_thinking") return switched(effort, { enable_thinking: !isOff }, to);
  if (style === "thinking_type") return switched(effort, { thinking: { type: isOff ? "disabled" : "enabled" } }, to);
  if (style === "switch" && isOff) return { reasoning: { enabled: false } };
  return { reasoning_effort: effortToWire(effort, to) };
}

/** The field of a vendor that reasons or does not; how much is not said. */
function switched(effort: string, field: Record<string, unknown>, to: RequestTarget): Record<string, unknown> {
  if (effort !== "none") to.warn(`\`reasoning.effort\` "${effort}" is on at ${to.provider}, which has no efforts`);
  return field;
}

function effortToWire(effort: string, to: RequestTarget): string {
  const known = to.dialect.efforts?.[effort];
  if (known === undefined) return effort;
  to.warn(`\`reasoning.effort\` "${effort}" is "${known}" at ${to.provider}`);
  return known;
}
