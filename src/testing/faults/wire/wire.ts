/** A vendor's interface. */
export type DialectName = "openai" | "anthropic";

/** A request for an answer, as far as misbehaving needs it. */
export interface FaultRequest {
  /** The whole model name: `behaviour[@amount][~tag]`. */
  readonly model: string;
  readonly isStream: boolean;
  /** A stream is asked to end with its usage. */
  readonly wantsUsage: boolean;
  /** The text of a last message by the assistant, which the answer is to continue. */
  readonly prefill: string | undefined;
  readonly messages: number;
}

/** Something to be said. */
export interface SpokenAnswer {
  readonly model: string;
  /** Pieces of text, one event each. */
  readonly words: readonly string[];
  /** What is thought before each of the words, and shown: a thought, its word, the next thought. */
  readonly thoughts?: readonly string[] | undefined;
  /** A tool to call after the text, its arguments in pieces. */
  readonly tool?: SpokenCall | undefined;
}

/** A call of a tool. */
export interface SpokenCall {
  /** The vendor's usual one unless given. */
  readonly id?: string | undefined;
  readonly name: string;
  readonly pieces: readonly string[];
}

/** A streamed answer taken apart; each element is one whole event with its blank line. */
export interface EventParts {
  /** What comes before any content. */
  readonly opening: readonly string[];
  readonly content: readonly string[];
  /** The reason for the end, and usage. */
  readonly closing: readonly string[];
  /** What says that nothing more comes. */
  readonly marker: string;
}

/** Why a request is refused. */
export type FaultKind =
  | "rate_limited"
  | "server_error"
  | "unavailable"
  | "overloaded"
  | "unauthorised"
  | "not_found"
  | "bad_request"
  | "context_too_long"
  | "content_refused"
  | "prefill_refused";

/** An error answer: its status and its body as JSON. */
export interface ErrorAnswer {
  readonly status: number;
  readonly body: string;
}

/** How a vendor writes and is written to. Pure. */
export interface WireDialect {
  readonly name: DialectName;
  /** What the path of a request for an answer ends in. */
  readonly path: string;
  /** Reads a parsed body; `undefined` when it names no model. */
  read(body: unknown): FaultRequest | undefined;
  /** A whole answer as JSON. */
  whole(answer: SpokenAnswer): string;
  events(answer: SpokenAnswer, wantsUsage: boolean): EventParts;
  fault(kind: FaultKind): ErrorAnswer;
  /** An event that says nothing but that the connection lives. */
  readonly heartbeat: string;
  /** An error inside a stream. */
  faultEvent(kind: FaultKind): string;
}

/** True for a JSON object. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The fields that both vendors name alike. */
export function readCommon(body: unknown): Omit<FaultRequest, "wantsUsage"> | undefined {
  if (!isRecord(body) || typeof body.model !== "string") return undefined;
  const messages: unknown[] = Array.isArray(body.messages) ? body.messages : [];
  const last = messages.at(-1);
  const prefill = isRecord(last) && last.role === "assistant" ? textOf(last.content) : undefined;
  return { model: body.model, isStream: body.stream === true, prefill, messages: messages.length };
}

function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return content.map((part) => (isRecord(part) && typeof part.text === "string" ? part.text : "")).join("");
}

/** Tokens, for usage: one per piece said and a fixed prompt, so that sums can be checked. */
export function countTokens({ words, tool }: SpokenAnswer): { readonly prompt: number; readonly completion: number } {
  return { prompt: 11, completion: words.length + (tool?.pieces.length ?? 0) };
}
