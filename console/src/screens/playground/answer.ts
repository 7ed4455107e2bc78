import type { InputOf } from "../../../../src/operations/calls.ts";
import type { Areas } from "../../../../src/operations/portal/table.ts";
import { ApiError } from "../../api/errors.ts";

/** The body of `POST /ai/playground/chat`. */
export type ChatInput = InputOf<Areas["ai"]["playground"]>;

/** An answer as far as it has come; times are in milliseconds, the cost in US dollars. */
export interface Answer {
  readonly isPending: boolean;
  readonly isDone: boolean;
  readonly text: string;
  readonly reasoning: string;
  readonly error: ApiError | undefined;
  readonly eventId: string;
  readonly cost: number | undefined;
  readonly promptTokens: number | undefined;
  readonly completionTokens: number | undefined;
  readonly firstToken: number | undefined;
  readonly total: number | undefined;
  readonly cache: string | undefined;
}

/** No answer yet. */
export const noAnswer: Answer = {
  ...{ isPending: false, isDone: false, text: "", reasoning: "", error: undefined, eventId: "" },
  ...{ cost: undefined, promptTokens: undefined, completionTokens: undefined },
  ...{ firstToken: undefined, total: undefined, cache: undefined },
};

/** One event of the stream, as far as the playground reads it. */
export interface ChatEvent {
  readonly type: "chunk" | "error" | "done";
  readonly event_id: string;
  readonly error?: { readonly code: string; readonly message: string };
  readonly chunk?: {
    readonly choices?: readonly {
      readonly delta?: {
        readonly content?: string | null;
        readonly reasoning?: string | null;
        readonly tool_calls?: unknown;
      };
    }[];
    readonly usage?: {
      readonly prompt_tokens?: number;
      readonly completion_tokens?: number;
      readonly cost?: { readonly total_cost?: number };
    };
    readonly extra_fields?: { readonly cache_debug?: { readonly cache_hit?: boolean; readonly hit_type?: string } };
  };
}

/** Returns the answer with one more event of its stream; `elapsed` is the time since it was asked for. */
export function addEvent(answer: Answer, { type, event_id, error, chunk }: ChatEvent, elapsed: number): Answer {
  const next = { ...answer, eventId: event_id };
  if (type === "done") return { ...next, isPending: false, isDone: true, total: elapsed };
  if (type === "error") return { ...next, isPending: false, total: elapsed, error: new ApiError(502, error ?? {}) };
  const delta = chunk?.choices?.[0]?.delta;
  const more = `${delta?.content ?? ""}${delta?.tool_calls === undefined ? "" : `${JSON.stringify(delta.tool_calls)}\n`}`;
  const reasoning = delta?.reasoning ?? "";
  const usage = chunk?.usage;
  const hit = chunk?.extra_fields?.cache_debug;
  return {
    ...next,
    text: answer.text + more,
    reasoning: answer.reasoning + reasoning,
    firstToken: answer.firstToken ?? (more + reasoning === "" ? undefined : elapsed),
    promptTokens: usage?.prompt_tokens ?? answer.promptTokens,
    completionTokens: usage?.completion_tokens ?? answer.completionTokens,
    cost: usage?.cost?.total_cost ?? answer.cost,
    cache: hit?.cache_hit ? (hit.hit_type ?? "direct") : answer.cache,
  };
}
