import type { Transport, WireRequest } from "../../../../src/engine/ports/transport.ts";

type Fields = Record<string, unknown>;

/** What a scripted OpenAI holds of one response. */
interface Held {
  readonly account: string;
  readonly input: Fields[];
  response: Fields;
}

/** A request that the vendor got. */
interface AskedVendor {
  readonly account: string;
  readonly method: string;
  readonly path: string;
  readonly body: Fields | undefined;
}

/** A scripted OpenAI that stores responses as OpenAI does: by account, for those who know the id. */
export interface StoringOpenai {
  readonly transport: Transport;
  readonly asked: AskedVendor[];
  /** The vendor's own ids of what it holds. */
  ids(): string[];
  /** Ends the work on every response in the background, or moves it on to this status. */
  work(status?: string): void;
  /** While true, every request of a response by its id is a 500. */
  isDown: boolean;
}

const usage = {
  input_tokens: 10,
  input_tokens_details: { cached_tokens: 0 },
  output_tokens: 5,
  output_tokens_details: { reasoning_tokens: 0 },
  total_tokens: 15,
};

const fields = new Set(
  "model input instructions previous_response_id conversation prompt store background stream tools include metadata truncation reasoning max_output_tokens".split(
    " ",
  ),
);

/** Begins with nothing; answers each request with the words of its input, turned round, after those of the earlier responses. */
export function storingOpenai(): StoringOpenai {
  const held = new Map<string, Held>();
  const asked: AskedVendor[] = [];
  let made = 0;
  const vendor: StoringOpenai = {
    asked,
    isDown: false,
    ids: () => [...held.keys()],
    work(status = "completed") {
      for (const one of held.values()) if (isUnderWay(one.response)) one.response = advance(one.response, status);
    },
    transport: {
      async whole(request) {
        const { status, body } = answer(request);
        return { status, headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
      },
      async stream(request) {
        const { status, body } = answer(request);
        if (status >= 400)
          return { status, headers: { "content-type": "application/json" }, body: pieces(JSON.stringify(body)) };
        const text = eventsOf(body as Fields)
          .map((event, at) => `event: ${event.type}\ndata: ${JSON.stringify({ ...event, sequence_number: at })}\n\n`)
          .join("");
        return { status, headers: { "content-type": "text/event-stream" }, body: pieces(text) };
      },
      close: async () => {},
    },
  };
  return vendor;

  function answer(request: WireRequest): { status: number; body: unknown } {
    const account = `${request.headers.authorization}`.replace("Bearer ", "");
    const { pathname, searchParams } = new URL(request.url);
    const body = request.body === undefined ? undefined : (JSON.parse(`${request.body}`) as Fields);
    asked.push({ account, method: request.method, path: pathname, body });
    const [, id, rest] = /^\/v1\/responses\/([^/]+)(?:\/(\w+))?$/.exec(pathname) ?? [];
    if (id === undefined) return pathname === "/v1/responses" ? create(account, body ?? {}) : fault(404, "Not found");
    if (vendor.isDown) return fault(500, "The server had an error.");
    const one = held.get(decodeURIComponent(id));
    if (one?.account !== account) return fault(404, `Response with id '${id}' not found.`);
    const action = `${request.method} ${rest ?? ""}`.trim();
    if (action === "GET") return { status: 200, body: one.response };
    if (action === "GET input_items") return { status: 200, body: pageOf(one.input, searchParams) };
    if (action === "DELETE") {
      held.delete(id);
      return { status: 200, body: { id, object: "response", deleted: true } };
    }
    if (action !== "POST cancel") return fault(405, `Invalid method for URL (${action})`);
    if (one.response.background !== true) return fault(400, "Cannot cancel a synchronous response.");
    if (isUnderWay(one.response)) one.response = advance(one.response, "cancelled");
    return { status: 200, body: one.response };
  }

  function create(account: string, body: Fields): { status: number; body: unknown } {
    for (const name of Object.keys(body))
      if (!fields.has(name)) return fault(400, `Unknown parameter: '${name}'.`, { param: name });
    const previous = body.previous_response_id as string | undefined;
    const before = previous === undefined ? undefined : held.get(previous);
    if (previous !== undefined && before?.account !== account) {
      const message = `Previous response with id '${previous}' not found.`;
      return fault(400, message, { param: "previous_response_id", code: "previous_response_not_found" });
    }
    if (body.background === true && body.store === false)
      return fault(400, "Background needs `store`.", { param: "background" });
    const input: Fields[] = [];
    for (const item of typeof body.input === "string"
      ? [{ role: "user", content: body.input }]
      : (body.input as Fields[])) {
      const found = resolve(account, item);
      if (found === undefined) return fault(404, `Item with id '${item.id}' not found.`, { param: "input" });
      input.push(found);
    }
    const n = ++made;
    const said = `${textOf(before?.response.output)}${textOf(input).split("").reverse().join("")}`;
    const isQueued = body.background === true;
    const message = {
      id: `msg_vendor${n}x`,
      type: "message",
      role: "assistant",
      status: "completed",
      content: [{ type: "output_text", text: said, annotations: [], logprobs: [] }],
    };
    const response: Fields = {
      id: `resp_vendor${n}x`,
      object: "response",
      created_at: 1,
      model: body.model,
      status: isQueued ? "queued" : "completed",
      background: isQueued,
      error: null,
      incomplete_details: null,
      previous_response_id: previous ?? null,
      store: body.store !== false,
      metadata: {},
      tools: [],
      output: isQueued ? [] : [message],
      usage: isQueued ? null : usage,
    };
    works.set(response.id as string, message);
    const items = input.map((item, at) => ({ id: `msg_vendorin${n}x${at}x`, type: "message", ...item }));
    if (response.store) held.set(response.id as string, { account, input: items, response });
    return { status: 200, body: response };
  }

  /** The item that a request holds, or refers to. */
  function resolve(account: string, item: Fields): Fields | undefined {
    if (item.type !== "item_reference") return item;
    const all = [...held.values()].filter((one) => one.account === account);
    return all
      .flatMap(({ response, input }) => [...(response.output as Fields[]), ...input])
      .find(({ id }) => id === item.id);
  }
}

const works = new Map<string, Fields>();

function advance(response: Fields, status: string): Fields {
  if (status === "completed") return { ...response, status, output: [works.get(response.id as string)], usage };
  if (status === "failed") return { ...response, status, error: { code: "server_error", message: "Broken." } };
  return { ...response, status };
}

function isUnderWay({ status }: Fields): boolean {
  return status === "queued" || status === "in_progress";
}

function textOf(items: unknown): string {
  return ((items ?? []) as Fields[])
    .map(({ content }) =>
      typeof content === "string" ? content : ((content ?? []) as Fields[]).map(({ text }) => text).join(""),
    )
    .join("");
}

function pageOf(items: readonly Fields[], query: URLSearchParams) {
  const after = query.get("after");
  const from = after === null ? 0 : items.findIndex(({ id }) => id === after) + 1;
  const data = items.slice(from, from + Number(query.get("limit") ?? 20));
  const has_more = from + data.length < items.length;
  return { object: "list", data, first_id: data[0]?.id, last_id: data.at(-1)?.id, has_more };
}

function eventsOf(response: Fields): Fields[] {
  const begun = { ...response, status: "in_progress", output: [], usage: null };
  const [item] = response.output as Fields[];
  const where = { item_id: item?.id, output_index: 0 };
  return [
    { type: "response.created", response: begun },
    { type: "response.in_progress", response: begun },
    { type: "response.output_item.added", output_index: 0, item: { ...item, content: [], status: "in_progress" } },
    {
      type: "response.content_part.added",
      ...where,
      content_index: 0,
      part: { type: "output_text", text: "", annotations: [] },
    },
    { type: "response.output_text.delta", ...where, content_index: 0, delta: textOf([item]) },
    { type: "response.output_text.done", ...where, content_index: 0, text: textOf([item]) },
    { type: "response.content_part.done", ...where, content_index: 0, part: ((item?.content ?? []) as Fields[])[0] },
    { type: "response.output_item.done", output_index: 0, item },
    { type: "response.completed", response },
  ];
}

function fault(status: number, message: string, more: { readonly param?: string; readonly code?: string } = {}) {
  return { status, body: { error: { message, type: "invalid_request_error", param: null, code: null, ...more } } };
}

async function* pieces(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}
