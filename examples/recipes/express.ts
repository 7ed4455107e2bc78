import express, { type ErrorRequestHandler, type Express } from "express";
import { createListener, type Engine, isGatewayError, textOf } from "tollgate";

/** The gateway's API under `/ai`, and a route that calls the engine itself. */
export function makeApp(engine: Engine): Express {
  const app = express();
  app.use(express.json({ limit: "32mb" })); // a parser in front of the listener does no harm; its limit holds for both
  app.use("/ai", createListener({ engine }));
  app.post("/ask", async (request, response) => {
    const gone = new AbortController();
    response.on("close", () => gone.abort());
    const messages = [{ role: "user" as const, content: String(request.body.question) }];
    const answer = await engine.chat({ model: "openai/gpt-5-mini", messages }, { signal: gone.signal });
    response.json({ text: textOf(answer) });
  });
  app.use(answerFailure);
  return app;
}

/** Failures of the engine have a status, and a code of docs/errors.md. */
// biome-ignore lint/complexity/useMaxParams: Express knows handlers of errors by their four parameters
const answerFailure: ErrorRequestHandler = (error, _request, response, next) => {
  if (!isGatewayError(error)) return next(error);
  response.status(error.status).json({ code: error.code, message: error.message });
};
