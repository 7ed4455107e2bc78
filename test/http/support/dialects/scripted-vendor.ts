/** A vendor in place of the network: `fetch` answers what `answer` gives, and `seen` holds what was sent. */
export interface ScriptedVendor {
  readonly seen: { readonly headers: Headers; readonly body: Record<string, unknown> }[];
  readonly fetch: typeof globalThis.fetch;
}

/** A vendor whose answer is JSON, or an event stream where `answer` gives a list of events. */
export function scriptedVendor(answer: (body: Record<string, unknown>) => object): ScriptedVendor {
  const seen: ScriptedVendor["seen"][number][] = [];
  return {
    seen,
    fetch: (_url, init) => {
      const body: Record<string, unknown> = JSON.parse(String(init?.body));
      seen.push({ headers: new Headers(init?.headers), body });
      const answered = answer(body);
      if (!Array.isArray(answered)) return Promise.resolve(Response.json(answered));
      const frames = answered.map((event) => (typeof event === "string" ? `data: ${event}\n\n` : frame(event)));
      return Promise.resolve(new Response(frames.join(""), { headers: { "content-type": "text/event-stream" } }));
    },
  };
}

function frame(event: { readonly type?: string }): string {
  return `${event.type === undefined ? "" : `event: ${event.type}\n`}data: ${JSON.stringify(event)}\n\n`;
}

/** The whole answer of a vendor that speaks OpenAI's dialect. */
export function chatCompletion(content: string) {
  const choice = { index: 0, finish_reason: "stop", message: { role: "assistant", content } };
  const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
  return { id: "c", object: "chat.completion", created: 1, model: "m", choices: [choice], usage };
}

/** The same as a stream, one chunk for each text. */
export function chatCompletionEvents(texts: readonly string[]): unknown[] {
  const chunk = (choice: object) => ({
    id: "c",
    object: "chat.completion.chunk",
    created: 1,
    model: "m",
    choices: [choice],
  });
  const grow = texts.map((content) => chunk({ index: 0, finish_reason: null, delta: { content } }));
  return [...grow, chunk({ index: 0, finish_reason: "stop", delta: {} }), "[DONE]"];
}

/** The whole answer of Anthropic's Messages API. */
export function claudeMessage(content: readonly object[]) {
  const usage = { input_tokens: 1, output_tokens: 1 };
  return { id: "msg_1", type: "message", role: "assistant", model: "c", content, stop_reason: "end_turn", usage };
}

/** Sends JSON to an engine and gives the answer. */
export async function postJson(
  engine: { fetch(url: string, init: RequestInit): Promise<Response> },
  { path, body, headers = {} }: { path: string; body: object; headers?: Readonly<Record<string, string>> },
) {
  const init = {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
  };
  const response = await engine.fetch(`http://engine${path}`, init);
  const text = await response.text();
  return { status: response.status, text, warnings: response.headers.get("x-tg-warnings") };
}
