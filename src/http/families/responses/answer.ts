import type { ChatResponse } from "../../../api/chat.ts";
import type { Usage } from "../../../api/usage.ts";
import { type Finish, finishOf } from "../shared/finish.ts";
import { type Notes, warnUnkept } from "../shared/notes.ts";
import { type Part, partsOf } from "../shared/parts.ts";
import { citationsOf, cutItem, type Item, logProbsOf, wholeItem } from "./items.ts";
import type { ResponseObject, ResponseRequest, ResponseUsage } from "./schema.ts";

/** What tells one answer from another. */
export interface Identity {
  readonly id: string;
  readonly created: number;
  readonly model: string;
  /** The tier that answered, once it is known. */
  readonly service_tier?: string | null | undefined;
}

/** The whole answer; the vendor has one choice only. */
export function writeAnswer(answer: ChatResponse, asked: ResponseRequest, notes: Notes): ResponseObject {
  const [choice] = answer.choices;
  const message = choice?.message ?? { role: "assistant" };
  for (const field of ["audio", "images"])
    if (message[field]) warnUnkept(notes, field, "of the answer has no place here");
  const id = responseId(answer.id);
  const parts = partsOf(message);
  const extras = { annotations: citationsOf(message.annotations ?? []), logprobs: logProbsOf(choice?.log_probs) };
  const finish = finishOf(choice?.finish_reason, Boolean(message.tool_calls?.length));
  const items = parts.map((part) => wholeItem(part, id, extras));
  const output = isCutShort(finish) ? items.map((item, at) => cutItem(item, parts[at] as Part, parts.at(-1))) : items;
  return finishedResponse({ ...answer, id }, asked, { finish, output, usage: answer.usage });
}

/** The id of a response, made of the answer's. */
export function responseId(id: string): string {
  return id.startsWith("resp_") ? id : `resp_${id}`;
}

interface Ending {
  readonly finish: Finish;
  readonly output: readonly Item[];
  readonly usage: Usage | undefined;
}

const incomplete: Partial<Readonly<Record<Finish, string>>> = {
  length: "max_output_tokens",
  content_filter: "content_filter",
};

/** True for an answer that ended before the model was done. */
export function isCutShort(finish: Finish): boolean {
  return finish === "error" || incomplete[finish] !== undefined;
}

/** The response of an answer that has come to its end. */
export function finishedResponse(
  identity: Identity,
  asked: ResponseRequest,
  { finish, output, usage }: Ending,
): ResponseObject {
  const reason = incomplete[finish];
  const isFailed = finish === "error";
  return {
    ...openResponse(identity, asked),
    status: isFailed ? "failed" : reason === undefined ? "completed" : "incomplete",
    error: isFailed ? { code: "server_error", message: "The model ended its answer with an error." } : null,
    incomplete_details: reason === undefined ? null : { reason },
    output: [...output],
    usage: usage === undefined ? null : writeUsage(usage),
    service_tier: identity.service_tier ?? null,
  };
}

/** The response of an answer that has just begun: what was asked, as the vendor repeats it. */
export function openResponse({ id, created, model }: Identity, asked: ResponseRequest): ResponseObject {
  const { text, reasoning, parallel_tool_calls: isParallel = true, tool_choice = "auto", tools = [] } = asked;
  return {
    id,
    object: "response",
    created_at: created,
    status: "in_progress",
    model,
    output: [],
    error: null,
    incomplete_details: null,
    usage: null,
    background: false,
    previous_response_id: null,
    store: false,
    service_tier: asked.service_tier ?? "auto",
    instructions: asked.instructions ?? null,
    max_output_tokens: asked.max_output_tokens ?? null,
    metadata: asked.metadata ?? {},
    parallel_tool_calls: isParallel,
    reasoning: { effort: reasoning?.effort ?? null, summary: reasoning?.summary ?? null },
    temperature: asked.temperature ?? null,
    text: { format: { type: "text" }, ...text },
    tool_choice,
    tools,
    top_p: asked.top_p ?? null,
    truncation: asked.truncation ?? "disabled",
  };
}

function writeUsage(usage: Usage): ResponseUsage {
  const { prompt_tokens, completion_tokens, total_tokens, prompt_tokens_details, completion_tokens_details } = usage;
  return {
    input_tokens: prompt_tokens,
    input_tokens_details: { cached_tokens: prompt_tokens_details?.cached_read_tokens ?? 0 },
    output_tokens: completion_tokens,
    output_tokens_details: { reasoning_tokens: completion_tokens_details?.reasoning_tokens ?? 0 },
    total_tokens,
  };
}
