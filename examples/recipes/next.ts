import { type ChatChunk, createFetch, type Engine, textOf } from "tollgate";

/**
 * The handlers of `app/api/ai/[...path]/route.ts`, which is two lines:
 * `export const runtime = "nodejs";` and `export const { GET, POST, DELETE } = gatewayRoute(engine);`
 */
export function gatewayRoute(engine: Engine) {
  const gateway = createFetch(engine, { prefix: "/api/ai" });
  const handle = (request: Request): Promise<Response> => gateway(request);
  return { GET: handle, POST: handle, DELETE: handle };
}

/** `POST` of `app/api/ask/route.ts`: plain text, word by word. */
export function askRoute(engine: Engine) {
  return async (request: Request): Promise<Response> => {
    const { question } = (await request.json()) as { question: string };
    const messages = [{ role: "user" as const, content: question }];
    const chunks = await engine.streamChat({ model: "openai/gpt-5-mini", messages }, { signal: request.signal });
    return new Response(toBytes(chunks), { headers: { "content-type": "text/plain; charset=utf-8" } });
  };
}

/** The text of a stream; when its reader leaves, the call ends. */
function toBytes(chunks: AsyncIterable<ChatChunk>): ReadableStream<Uint8Array> {
  const iterator = chunks[Symbol.asyncIterator]();
  const encoder = new TextEncoder();
  return new ReadableStream({
    async pull(controller) {
      const step = await iterator.next();
      if (step.done) controller.close();
      else controller.enqueue(encoder.encode(textOf(step.value)));
    },
    async cancel() {
      await iterator.return?.();
    },
  });
}
