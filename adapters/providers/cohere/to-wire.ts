import type { ChatRequest } from "../../../src/engine/api/chat.ts";
import { invalidRequest, unsupported } from "../../../src/engine/dialects/refusals.ts";
import { isRecord } from "../../../src/engine/dialects/wire-values.ts";
import {
  effortWord,
  outputLimit,
  stopSequences,
  type Translation,
  topK,
  warnOfRest,
} from "../../shared/chat/fields.ts";
import type { ParameterPlaces } from "../../shared/chat/parameter-places.ts";
import { requestedReasoning } from "../../shared/chat/reasoning.ts";
import { rulesCheck } from "../../shared/chat/rules-option.ts";
import { writeMessages } from "./messages.ts";
import { planTools } from "./tools.ts";
import type { WireTurn } from "./wire.ts";

/** The vendor's own fields, which a caller may name: its grounding, safety and queue. */
const passed = ["documents", "citation_options", "safety_mode", "priority"] as const;

const honoured = new Set([
  ..."max_completion_tokens max_tokens top_k temperature top_p stop seed logprobs tools tool_choice".split(" "),
  ..."reasoning reasoning_effort response_format frequency_penalty presence_penalty".split(" "),
  ...passed,
]);

/** `POST /v2/chat`: docs.cohere.com, "Chat API (v2)", read in November 2026. */
export const coherePlaces: ParameterPlaces = {
  needed: new Set(
    "model messages tools tool_choice stream response_format max_tokens documents safety_mode".split(" "),
  ),
  holders: [],
  units: ["thinking", "citation_options"],
};

/** Checks the option `modelRules`. */
export const cohereRules = rulesCheck(coherePlaces);

/** The body of `POST /v2/chat`. */
export interface CohereWireRequest extends Readonly<Record<string, unknown>> {
  readonly model: string;
  readonly messages: readonly WireTurn[];
}

/** The body of `POST /v2/chat` for a request, which is left as it is. */
export function toWire(request: ChatRequest, context: Translation & { readonly isStream: boolean }): CohereWireRequest {
  const taken = warnOfRest(request, honoured, context);
  return {
    model: context.call.model,
    messages: writeMessages(request.messages, context),
    ...planTools(request, context),
    ...present({
      max_tokens: outputLimit(request),
      stop_sequences: listed(stopSequences(request)),
      ...sampling(request, context),
      response_format: responseFormat(request),
      thinking: thinking(request, context),
      stream: context.isStream ? true : undefined,
      ...Object.fromEntries(passed.map((field) => [field, request[field]])),
      ...taken,
    }),
  };
}

function present(fields: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined && value !== null));
}

function listed<T>(list: readonly T[]): readonly T[] | undefined {
  return list.length === 0 ? undefined : list;
}

function sampling(request: ChatRequest, context: Translation): Readonly<Record<string, unknown>> {
  const within = (field: string, value: number | undefined, [least, most]: readonly [number, number]) =>
    bounded(field, { value, least, most }, context);
  return {
    temperature: request.temperature,
    p: within("top_p", request.top_p, [0.01, 0.99]),
    k: within("top_k", topK(request), [0, 500]),
    seed: request.seed,
    frequency_penalty: within("frequency_penalty", request.frequency_penalty, [0, 1]),
    presence_penalty: within("presence_penalty", request.presence_penalty, [0, 1]),
    logprobs: request.logprobs === true ? true : undefined,
  };
}

interface Bounded {
  readonly value: number | undefined;
  readonly least: number;
  readonly most: number;
}

/** The vendor refuses what is outside of its bounds: the nearest value inside is sent in its place. */
function bounded(field: string, { value, least, most }: Bounded, { provider, call }: Translation): number | undefined {
  if (value === undefined) return undefined;
  const nearest = Math.min(Math.max(value, least), most);
  if (nearest !== value) call.warn(`\`${field}\` ${value} is sent to ${provider} as ${nearest}`);
  return nearest;
}

/** One type for both kinds of JSON; the schema makes the difference. */
function responseFormat({ response_format: requested }: ChatRequest): unknown {
  if (requested === undefined || requested.type === "text") return undefined;
  if (requested.type === "json_object") return { type: "json_object" };
  if (requested.type !== "json_schema") {
    throw unsupported("response_format.type", "can be text, json_object or json_schema.");
  }
  const schema = isRecord(requested.json_schema) ? requested.json_schema.schema : undefined;
  if (!isRecord(schema)) throw invalidRequest("response_format.json_schema.schema", "is missing.");
  return { type: "json_object", json_schema: schema };
}

/** Thinking is on or off, and may have a budget; how hard to think cannot be said. */
function thinking(request: ChatRequest, context: Translation): unknown {
  const requested = requestedReasoning(request, context);
  if (requested === undefined) return undefined;
  const { effort, maxTokens, isExcluded, field } = requested;
  const { provider, call, rules } = context;
  const word = effortWord({ rules }, effort);
  if (word !== undefined && /^\d+$/.test(word)) {
    call.warn(`\`${field}\` ${effort} is sent to ${call.model} as ${word} tokens`);
    return { type: "enabled", token_budget: Number(word) };
  }
  if (effort === "none") return { type: "disabled" };
  if (isExcluded) call.warn(`\`${field}.exclude\` is not supported by ${provider}`);
  if (effort !== undefined)
    call.warn(`the effort "${effort}" of \`${field}\` is not supported by ${provider}: it thinks`);
  return { type: "enabled", ...(maxTokens === undefined ? {} : { token_budget: maxTokens }) };
}
