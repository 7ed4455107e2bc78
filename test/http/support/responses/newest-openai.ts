import type { Transport, WireRequest } from "../../../../src/engine/ports/transport.ts";

export type Item = { readonly type: string; readonly [field: string]: unknown };

/** What a scripted OpenAI was asked. */
export interface Asked {
  readonly path: string;
  readonly body: Record<string, unknown> & { readonly input?: readonly Item[] };
}

/** A scripted OpenAI, which behaves as its newest models do. */
export interface NewestOpenai {
  readonly transport: Transport;
  readonly asked: Asked[];
}

const usage = {
  input_tokens: 10,
  input_tokens_details: { cached_tokens: 4 },
  output_tokens: 5,
  output_tokens_details: { reasoning_tokens: 3 },
  total_tokens: 15,
};

/** A response with these items. */
export function responseWith(output: readonly Item[], more: object = {}) {
  const head = { id: "resp_1", object: "response", created_at: 1, model: "gpt-5.6-sol", status: "completed" };
  return { ...head, error: null, incomplete_details: null, output, usage, ...more };
}

/** The events of a stream of a response, its texts cut into pieces of `size`. */
export function eventsOf(response: ReturnType<typeof responseWith>, size = 3): Record<string, unknown>[] {
  const begun = { ...response, status: "in_progress", output: [], usage: null };
  const events = [
    { type: "response.created", response: begun },
    { type: "response.in_progress", response: begun },
    ...response.output.flatMap((item, at) => itemEvents(item, at, size)),
    { type: `response.${response.status}`, response },
  ];
  return events.map((event, at) => ({ ...event, sequence_number: at }));
}

function itemEvents(item: Item, at: number, size: number): Item[] {
  const where = { item_id: item.id, output_index: at };
  const empty = { arguments: "", input: "", content: [], summary: [], encrypted_content: undefined };
  const blank = Object.fromEntries(Object.entries(empty).filter(([name]) => name in item));
  const pieces = (text: unknown) => `${text}`.match(new RegExp(`[^]{1,${size}}`, "g")) ?? [];
  const deltas = (type: string, text: unknown, more: object = {}) =>
    pieces(text).map((delta) => ({ type, ...where, ...more, delta }));
  const grown: Item[] = [
    ...(item.type === "function_call" ? deltas("response.function_call_arguments.delta", item.arguments) : []),
    ...(item.type === "custom_tool_call" ? deltas("response.custom_tool_call_input.delta", item.input) : []),
    ...textsOf(item.content).flatMap((text, n) => deltas("response.output_text.delta", text, { content_index: n })),
    ...textsOf(item.summary).flatMap((text, n) => [
      { type: "response.reasoning_summary_part.added", ...where, summary_index: n },
      ...deltas("response.reasoning_summary_text.delta", text, { summary_index: n }),
    ]),
  ];
  return [
    { type: "response.output_item.added", output_index: at, item: { ...item, ...blank, status: "in_progress" } },
    ...grown,
    { type: "response.output_item.done", output_index: at, item },
  ];
}

function textsOf(parts: unknown): string[] {
  return Array.isArray(parts) ? parts.map(({ text }: { text: string }) => text) : [];
}

interface VendorOptions {
  /** How long the pieces of streamed texts are. */
  readonly size?: number | undefined;
  /** True for one that takes every sealed thought, those that it did not give, too. */
  readonly takesAll?: boolean;
}

/** Answers each request with the next of these responses; refuses what OpenAI's newest models refuse. */
export function newestOpenai(
  responses: readonly ReturnType<typeof responseWith>[],
  { size, takesAll = false }: VendorOptions = {},
): NewestOpenai {
  const asked: Asked[] = [];
  const sealed = new Set(responses.flatMap(({ output }) => output.map((item) => item.encrypted_content)));
  let answered = 0;
  function answer(request: WireRequest): { status: number; body: unknown } {
    const body = JSON.parse(`${request.body}`) as Asked["body"];
    const { pathname } = new URL(request.url);
    asked.push({ path: pathname, body });
    if (pathname === "/v1/chat/completions" && (body.tools || `${body.model}`.includes("codex"))) return refusal;
    const items = Array.isArray(body.input) ? body.input : [];
    if (!takesAll && items.some((item) => item.type === "reasoning" && !sealed.has(item.encrypted_content)))
      return { status: 400, body: { error: { message: "Encrypted content could not be verified.", code: "invalid" } } };
    return { status: 200, body: responses[Math.min(answered++, responses.length - 1)] };
  }
  const transport: Transport = {
    async whole(request) {
      const { status, body } = answer(request);
      return { status, headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
    },
    async stream(request) {
      const { status, body } = answer(request);
      if (status >= 400)
        return { status, headers: { "content-type": "application/json" }, body: textOf(JSON.stringify(body)) };
      const events = eventsOf(body as ReturnType<typeof responseWith>, size);
      const text = events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join("");
      return { status, headers: { "content-type": "text/event-stream" }, body: textOf(text) };
    },
    close: async () => {},
  };
  return { transport, asked };
}

const refusal = {
  status: 400,
  body: {
    error: {
      message: "Function tools are not supported for this model in /v1/chat/completions. Use /v1/responses instead.",
      type: "invalid_request_error",
      param: null,
      code: null,
    },
  },
};

async function* textOf(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}
