import type { ChatChunk, ChatRequest } from "../../engine/api/chat.ts";
import {
  functionChunks,
  usesFunctions,
  withFunctionCalls,
  withTools,
} from "../../engine/dialects/openai/older-functions.ts";
import { isRecord } from "../../engine/dialects/wire-values.ts";
import { callOptions, type RequestHandler, readInput, toJson } from "../context.ts";
import { readHeader } from "../message.ts";
import { streamOf } from "../response/chunk-stream.ts";
import { withOpenaiNames } from "../response/openai-names.ts";
import type { RequestContext } from "../response/request-context.ts";
import { hasMcpTools } from "../tool-runs/has-mcp-tools.ts";

/** `POST /v1/chat/completions`. The body goes to the engine as it was read: it checks it, once. Older words become today's. */
export const answerChat: RequestHandler = async (requestContext, context) => {
  requestContext.requestType = "chat_completion"; // a refusal before the body is read has its row too
  const body = await readInput(requestContext, context);
  const isOlder = usesFunctions(body);
  const request = isOlder ? withTools(body) : (body as ChatRequest); // the seam: the engine checks what it is handed
  const isStream = isRecord(body) && body.stream === true;
  if (isStream) requestContext.requestType = "chat_completion_stream";
  const run = hasMcpTools(body)
    ? (await import("../tool-runs/run-chats.ts")).runChats(context.engine, body)
    : undefined;
  const chats = run ?? context.engine;
  if (run) requestContext.origins = run.origins;
  const options = callOptions(requestContext, context);
  if (isStream) {
    const asked = chats.streamChat(request, options);
    const chunks = isOlder
      ? asked.then(functionChunks)
      : isMistral(requestContext)
        ? asked.then(withWholeCalls)
        : asked;
    return streamOf(chunks, requestContext, context.keepAlive);
  }
  const answer = withOpenaiNames(await chats.chat(request, options));
  return toJson(isOlder ? withFunctionCalls(answer) : answer);
};

/** Mistral's own SDKs call themselves `mistral-client-python/…` and `mistral-client-typescript/…`. */
function isMistral({ request }: RequestContext): boolean {
  return readHeader(request.headers, "user-agent")?.startsWith("mistral-client-") === true;
}

async function* withWholeCalls(chunks: AsyncIterable<ChatChunk>): AsyncGenerator<ChatChunk> {
  const { wholeCalls } = await import("../../engine/dialects/openai/whole-calls.ts");
  yield* wholeCalls(chunks);
}
