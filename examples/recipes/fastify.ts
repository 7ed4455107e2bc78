import fastify, { type FastifyInstance } from "fastify";
import { createListener, type Engine, isGatewayError, textOf } from "tollgate";

/** The gateway's API under `/ai`, behind Fastify's own body parser, and a route that calls the engine itself. */
export function makeApp(engine: Engine): FastifyInstance {
  const app = fastify({ bodyLimit: 32 * 1024 * 1024 }); // 1 MiB unless set
  const handle = createListener({ engine, prefix: "/ai" });
  app.all("/ai/*", (request, reply) => {
    reply.hijack();
    handle(Object.assign(request.raw, { body: request.body }), reply.raw); // what the parser has read
  });
  app.post<{ Body: { question: string } }>("/ask", async ({ body }) => {
    const messages = [{ role: "user" as const, content: body.question }];
    return { text: textOf(await engine.chat({ model: "openai/gpt-5-mini", messages })) };
  });
  app.setErrorHandler((error, _request, reply) => {
    if (!isGatewayError(error)) return reply.send(error);
    return reply.status(error.status).send({ code: error.code, message: error.message });
  });
  return app;
}
