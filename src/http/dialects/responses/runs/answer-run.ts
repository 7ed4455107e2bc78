import type { ToolRunRequest } from "../../../../engine/pipeline/tools/run/tool-run.ts";
import { callOptions, type HttpContext, type RequestHandler, toJson } from "../../../context.ts";
import { precededBy, withinInterval } from "../../../response/late-stream.ts";
import { type RequestContext, readFailure } from "../../../response/request-context.ts";
import { eventStreamHeaders, keepAliveFrame, toEvent } from "../../../response/sse.ts";
import type { McpBody } from "../../../tool-runs/has-mcp-tools.ts";
import { warningHeaders } from "../../shared/translation-warnings.ts";
import { eventsOfResponse } from "./run-events.ts";
import { type RunTurn, readRunRequest } from "./run-request.ts";

/**
 * Answers a response whose tools of MCP servers the gateway runs. A stream begins when the run is over: its events are those of the whole
 * response, with signs of life until then.
 */
export async function answerRun(
  body: McpBody,
  requestContext: RequestContext,
  context: HttpContext,
): ReturnType<RequestHandler> {
  const turn = readRunRequest(context.engine, body);
  const { notes, isStream, write } = turn;
  requestContext.requestType = isStream ? "chat_completion_stream" : "chat_completion";
  requestContext.origins = notes.origins;
  const asked = ask(turn, requestContext, context);
  if (!isStream) {
    const result = await asked;
    return toJson(write(result), warningHeaders(notes, result.answer.extra_fields?.warnings ?? []));
  }
  const done = await withinInterval(asked, context.keepAlive);
  const headers = { ...eventStreamHeaders, ...warningHeaders(notes, []) };
  const frames = framesOf(asked.then(write), requestContext);
  return { status: 200, headers, body: done ? frames : precededBy(keepAliveFrame, frames) };
}

function ask({ run, options }: RunTurn, requestContext: RequestContext, context: HttpContext) {
  const { source: _source, ...turnOptions } = callOptions(requestContext, context);
  return context.engine.runTools(run as ToolRunRequest, { ...turnOptions, ...options });
}

async function* framesOf(response: Promise<Readonly<Record<string, unknown>>>, context: RequestContext) {
  let whole: Readonly<Record<string, unknown>>;
  try {
    whole = await response;
  } catch (thrown) {
    const { code, message, param = null } = readFailure(thrown, context);
    yield toEvent("error", { type: "error", sequence_number: 0, code, message, param });
    return;
  }
  yield* eventsOfResponse(whole);
}
