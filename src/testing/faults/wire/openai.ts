import {
  countTokens,
  type ErrorAnswer,
  type FaultKind,
  isRecord,
  readCommon,
  type SpokenAnswer,
  type WireDialect,
} from "./wire.ts";

const id = "chatcmpl-fault";
const created = 1_767_225_600;

/** Status, type, code and message of each refusal, as the vendor words them. */
const faults: Readonly<
  Record<FaultKind, readonly [status: number, type: string, code: string | null, message: string]>
> = {
  rate_limited: [429, "requests", "rate_limit_exceeded", "Rate limit reached for requests."],
  server_error: [500, "server_error", null, "The server had an error while processing your request."],
  unavailable: [503, "server_error", null, "The server is temporarily unable to answer."],
  overloaded: [503, "server_error", "overloaded", "The engine is currently overloaded, please try again later."],
  unauthorised: [401, "invalid_request_error", "invalid_api_key", "Incorrect API key provided."],
  not_found: [404, "invalid_request_error", "model_not_found", "The model does not exist."],
  bad_request: [400, "invalid_request_error", null, "Unrecognized request argument supplied."],
  context_too_long: [
    400,
    "invalid_request_error",
    "context_length_exceeded",
    "This model's maximum context length is 8192 tokens.",
  ],
  content_refused: [400, "invalid_request_error", "content_policy_violation", "Your request was rejected."],
  prefill_refused: [400, "invalid_request_error", null, "The last message must not be an assistant message."],
};

/** OpenAI's Chat Completions. */
export const openaiDialect: WireDialect = {
  name: "openai",
  path: "/chat/completions",
  read(body) {
    const common = readCommon(body);
    if (!common || !isRecord(body)) return undefined;
    const options = body.stream_options;
    return { ...common, wantsUsage: isRecord(options) && options.include_usage === true };
  },
  whole(answer) {
    const { model, words, thoughts, tool } = answer;
    const thought = thoughts && { reasoning_content: thoughts.join("") };
    const message = { role: "assistant", content: words.join(""), ...thought, refusal: null, ...callOf(tool) };
    const choices = [{ index: 0, message, logprobs: null, finish_reason: tool ? "tool_calls" : "stop" }];
    return JSON.stringify({ id, object: "chat.completion", created, model, choices, usage: usageOf(answer) });
  },
  events(answer, wantsUsage) {
    const { model, tool } = answer;
    const chunk = (choices: readonly unknown[], more: object = {}) =>
      event({ id, object: "chat.completion.chunk", created, model, choices, ...more });
    const delta = (content: object, finish_reason: string | null = null) =>
      chunk([{ index: 0, delta: content, logprobs: null, finish_reason }]);
    const usage = wantsUsage ? [chunk([], { usage: usageOf(answer) })] : [];
    return {
      opening: [delta({ role: "assistant", content: "", refusal: null })],
      content: [...spokenDeltas(answer), ...toolDeltas(answer.tool)].map((content) => delta(content)),
      closing: [delta({}, tool ? "tool_calls" : "stop"), ...usage],
      marker: "data: [DONE]\n\n",
    };
  },
  fault(kind): ErrorAnswer {
    const [status, type, code, message] = faults[kind];
    return { status, body: JSON.stringify({ error: { message, type, param: null, code } }) };
  },
  heartbeat: ": keep-alive\n\n",
  faultEvent(kind) {
    const [, type, code, message] = faults[kind];
    return event({ error: { message, type, param: null, code } });
  },
};

const callId = "call_fault";

function callOf(tool: SpokenAnswer["tool"]): object {
  if (!tool) return {};
  const call = { name: tool.name, arguments: tool.pieces.join("") };
  return { tool_calls: [{ id: callId, type: "function", function: call }] };
}

function spokenDeltas({ words, thoughts = [] }: SpokenAnswer): object[] {
  return words.flatMap((content, n) => {
    const thought = thoughts[n];
    return thought === undefined ? [{ content }] : [{ reasoning_content: thought }, { content }];
  });
}

function toolDeltas(tool: SpokenAnswer["tool"]): object[] {
  if (!tool) return [];
  const opening = { index: 0, id: tool.id ?? callId, type: "function", function: { name: tool.name, arguments: "" } };
  const pieces = tool.pieces.map((piece) => ({ index: 0, function: { arguments: piece } }));
  return [opening, ...pieces].map((call) => ({ tool_calls: [call] }));
}

function usageOf(answer: SpokenAnswer): object {
  const { prompt, completion } = countTokens(answer);
  return { prompt_tokens: prompt, completion_tokens: completion, total_tokens: prompt + completion };
}

function event(value: object): string {
  return `data: ${JSON.stringify(value)}\n\n`;
}
