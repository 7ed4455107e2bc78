import type { DecisionResponse } from "../../../src/engine/api/decisions.ts";
import type { Usage } from "../../../src/engine/api/usage.ts";
import { isRecord } from "../../../src/engine/dialects/wire-values.ts";
import { GatewayError } from "../../../src/engine/errors.ts";
import type { ProviderCall } from "../../../src/engine/ports/provider.ts";
import type { DecisionVendor } from "./vendor.ts";

/** The vendor's answers under our names; the engine holds them to the questions. Some vendors wrap them once more. */
export function readDecisions(
  raw: unknown,
  { name, form, tier }: DecisionVendor,
  call: ProviderCall,
): DecisionResponse {
  const answer = unwrapped(raw);
  if (!answer) {
    throw new GatewayError("upstream_invalid_response", `The answer of ${name} has no answers.`, { provider: name });
  }
  const { answers: provided } = answer;
  const answers = form === "map" && isRecord(provided) ? withOurNames(provided) : provided;
  const usage = readUsage(answer.usage);
  const model = typeof answer.model === "string" && answer.model !== "" ? answer.model : call.model;
  const id = typeof answer.id === "string" && answer.id !== "" ? answer.id : call.id;
  return {
    id,
    model,
    answers: answers as DecisionResponse["answers"],
    ...(usage ? { usage } : {}),
    ...(tier === undefined ? {} : { service_tier: tier }),
  };
}

/** The object with the answers: the body itself, or what stands under `result` (Cloudflare) or `response` (Databricks' `ai_decide`). */
function unwrapped(raw: unknown): Record<string, unknown> | undefined {
  if (!isRecord(raw)) return undefined;
  if (typeof raw.answers === "object" && raw.answers !== null) return raw;
  const inner = raw.result ?? raw.response;
  if (!isRecord(inner)) return undefined;
  if (typeof inner.answers === "object" && inner.answers !== null)
    return { ...inner, usage: inner.usage ?? raw.usage, id: inner.id ?? raw.id };
  return isAnswers(inner) ? { answers: inner, usage: raw.usage, model: raw.model, id: raw.id } : undefined;
}

/** Answers by name, without an object around them. */
function isAnswers(value: Record<string, unknown>): boolean {
  const all = Object.values(value);
  return all.length > 0 && all.every((each) => isRecord(each) && typeof each.type === "string");
}

function withOurNames(answers: Record<string, unknown>): Record<string, unknown> {
  const renamed = Object.entries(answers).map(([name, answer]) => {
    if (!isRecord(answer) || typeof answer.type !== "string") return [name, answer];
    const { type, [type]: value = answer.probability, ...rest } = answer;
    return [name, { ...rest, kind: type, value }];
  });
  return Object.fromEntries(renamed);
}

function readUsage(raw: unknown): Usage | undefined {
  if (!isRecord(raw)) return undefined;
  const { input_tokens: prompt, output_tokens: completion = 0 } = raw;
  if (!isCount(prompt) || !isCount(completion)) return undefined;
  const details = promptDetails(raw, prompt);
  const { output_tokens_details: output } = raw;
  const reasoning = isRecord(output) && isCount(output.reasoning_tokens) ? output.reasoning_tokens : 0;
  return {
    prompt_tokens: prompt,
    completion_tokens: completion,
    total_tokens: prompt + completion,
    ...(Object.keys(details).length > 0 ? { prompt_tokens_details: details } : {}),
    ...(reasoning > 0 ? { completion_tokens_details: { reasoning_tokens: Math.min(reasoning, completion) } } : {}),
    ...(typeof raw.cost === "number" || isRecord(raw.cost) ? { upstream_cost: raw.cost } : {}),
  };
}

function promptDetails(
  { input_tokens_details: details, cached_input_tokens: cachedInput }: Record<string, unknown>,
  prompt: number,
) {
  const { cached_tokens: stated = cachedInput, cache_write_tokens: written } = isRecord(details) ? details : {};
  const cached = isCount(stated) ? Math.min(stated, prompt) : 0;
  const write = isCount(written) ? Math.min(written, prompt - cached) : 0;
  return {
    ...(cached > 0 ? { cached_read_tokens: cached } : {}),
    ...(write > 0 ? { cached_write_tokens: write } : {}),
  };
}

function isCount(value: unknown): value is number {
  return typeof value === "number" && Number.isInteger(value) && value >= 0;
}
