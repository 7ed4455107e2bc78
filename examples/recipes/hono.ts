import { Hono } from "hono";
import { stream } from "hono/streaming";
import { createFetch, type Engine, textOf } from "tollgate";

/** The gateway's API under `/ai`, and a route that streams plain text. */
export function makeApp(engine: Engine): Hono {
  const app = new Hono();
  const gateway = createFetch(engine, { prefix: "/ai" });
  app.all("/ai/*", (context) => gateway(context.req.raw));
  app.post("/ask", async (context) => {
    const { question } = await context.req.json<{ question: string }>();
    const messages = [{ role: "user" as const, content: question }];
    const { signal } = context.req.raw;
    const chunks = await engine.streamChat({ model: "openai/gpt-5-mini", messages }, { signal });
    return stream(context, async (body) => {
      for await (const chunk of chunks) await body.write(textOf(chunk));
    });
  });
  return app;
}
