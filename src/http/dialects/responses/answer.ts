import type { ChatResponse } from "../../../engine/api/chat.ts";
import type { Usage } from "../../../engine/api/usage.ts";
import { type FinishReason, finishReasonOf } from "../../../engine/dialects/finish-reason.ts";
import { writeResponseUsage } from "../../../engine/dialects/openai/usage.ts";
import { type Part, partsOf } from "../shared/parts.ts";
import { type Notes, warnUnsupportedFields } from "../shared/translation-warnings.ts";
import { readCallables, restoreCall } from "./callable.ts";
import { citationsOf, cutItem, type Item, logProbsOf, wholeItem } from "./items.ts";
import type { ResponseObject, ResponseRequest } from "./schema.ts";

/** The fields that identify an answer. */
export interface ResponseIdentity {
  readonly id: string;
  readonly created: number;
  readonly model: string;
  /** The tier that answered, once it is known. */
  readonly service_tier?: string | null | undefined;
}

/** The whole answer; the vendor has one choice only. */
export function writeAnswer(answer: ChatResponse, parsed: ResponseRequest, notes: Notes): ResponseObject {
  const [choice] = answer.choices;
  const message = choice?.message ?? { role: "assistant" };
  for (const field of ["audio", "images"])
    if (message[field]) warnUnsupportedFields(notes, field, "of the answer has no counterpart here");
  const id = responseId(answer.id);
  const callables = readCallables(parsed);
  const parts = partsOf(message);
  const extras = { annotations: citationsOf(message.annotations ?? []), logprobs: logProbsOf(choice?.log_probs) };
  const finish = finishReasonOf(choice?.finish_reason, Boolean(message.tool_calls?.length));
  const items = parts.map((part) => restoreCall(wholeItem(part, id, extras), callables));
  const output = isCutShort(finish) ? items.map((item, at) => cutItem(item, parts[at] as Part, parts.at(-1))) : items;
  return finishedResponse({ ...answer, id }, parsed, { finish, output, usage: answer.usage });
}

/** The id of a response, made of the answer's. */
export function responseId(id: string): string {
  return id.startsWith("resp_") ? id : `resp_${id}`;
}

interface ResponseEnd {
  readonly finish: FinishReason;
  readonly output: readonly Item[];
  readonly usage: Usage | undefined;
}

const incomplete: Partial<Readonly<Record<FinishReason, string>>> = {
  length: "max_output_tokens",
  content_filter: "content_filter",
};

/** True for an answer that ended before the model was done. */
export function isCutShort(finish: FinishReason): boolean {
  return finish === "error" || incomplete[finish] !== undefined;
}

/** The response of an answer that has come to its end. */
export function finishedResponse(
  identity: ResponseIdentity,
  parsed: ResponseRequest,
  { finish, output, usage }: ResponseEnd,
): ResponseObject {
  const reason = incomplete[finish];
  const isFailed = finish === "error";
  return {
    ...openResponse(identity, parsed),
    status: isFailed ? "failed" : reason === undefined ? "completed" : "incomplete",
    error: isFailed ? { code: "server_error", message: "The model ended its answer with an error." } : null,
    incomplete_details: reason === undefined ? null : { reason },
    output: [...output],
    ...(usage === undefined ? {} : { usage: writeResponseUsage(usage) }),
    service_tier: identity.service_tier ?? null,
  };
}

/** The response of an answer that has just begun, with the request's fields as the vendor repeats them. */
export function openResponse({ id, created, model }: ResponseIdentity, parsed: ResponseRequest): ResponseObject {
  const { text, reasoning, parallel_tool_calls: isParallel = true, tool_choice = "auto", tools = [] } = parsed;
  return {
    id,
    object: "response",
    created_at: created,
    status: "in_progress",
    model,
    output: [],
    error: null,
    incomplete_details: null,
    access_programs: null,
    background: false,
    previous_response_id: null,
    store: false,
    service_tier: parsed.service_tier ?? "auto",
    instructions: parsed.instructions ?? null,
    max_output_tokens: parsed.max_output_tokens ?? null,
    metadata: parsed.metadata ?? {},
    parallel_tool_calls: isParallel,
    reasoning: { effort: reasoning?.effort ?? null, summary: reasoning?.summary ?? null },
    temperature: parsed.temperature ?? null,
    text: { format: { type: "text" }, ...text },
    tool_choice,
    tools,
    top_p: parsed.top_p ?? null,
    truncation: parsed.truncation ?? "disabled",
  };
}
