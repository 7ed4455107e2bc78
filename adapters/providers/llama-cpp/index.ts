import type { ChatChunk, ChatRequest, ChatResponse, ChunkChoice } from "../../../src/engine/api/chat.ts";
import type { EmbeddingRequest, EmbeddingResponse } from "../../../src/engine/api/embeddings.ts";
import { GatewayError } from "../../../src/engine/errors.ts";
import { defineProvider, type Provider, type ProviderCall } from "../../../src/engine/ports/provider.ts";
import { textsOf } from "../../shared/embeddings/inputs.ts";
import { inFormat } from "../../shared/embeddings/vectors.ts";
import { type Checks, callable, checkedOptions, object, positive, text } from "../../shared/options.ts";
import { choiceLogprobs } from "./choice-logprobs.ts";
import { type GeneratedPiece, type GenerationRequest, type GenerationResult, generate } from "./generate.ts";
import type { LlamaLibrary } from "./library.ts";
import { createRuntime, type LlamaModelOptions, type LlamaRuntime } from "./runtime.ts";

export type { LlamaLibrary } from "./library.ts";
export type { LlamaModelOptions } from "./runtime.ts";

/** Options of `llamaCpp()`; only `models` is required. */
export interface LlamaCppOptions {
  /** Models by name, each a `.gguf` file; loaded when they are asked first. */
  readonly models: Readonly<Record<string, LlamaModelOptions | string>>;
  /** Threads of one evaluation; as many as the library thinks good unless given. */
  readonly threads?: number | undefined;
  /** For the library's `getLlama`, e.g. `{ gpu: false }`. */
  readonly llama?: object | undefined;
  /** Gives the library; `import("node-llama-cpp")` unless given. */
  readonly library?: (() => Promise<LlamaLibrary>) | undefined;
  /** The part before `/` in model names; `llama-cpp` unless given. */
  readonly name?: string | undefined;
}

const checks: Checks<LlamaCppOptions> = {
  models: object,
  threads: positive,
  llama: object,
  library: callable,
  name: text,
};

/**
 * Models in this process, by `node-llama-cpp` (version 3, to be installed beside tollgate): chat, streams, embeddings, tools and JSON by
 * grammar, and log probabilities, so that it decides by the probabilities of a token.
 */
export function llamaCpp(options: LlamaCppOptions): Provider {
  const {
    name = "llama-cpp",
    threads,
    llama,
    library = importLibrary,
    models: listed = {},
  } = checkedOptions(options, checks, { of: "llama-cpp" });
  const models = Object.entries(listed).map(([model, at]) => [model, typeof at === "string" ? { path: at } : at]);
  if (models.length === 0) {
    const message = `\`models\` of ${name} is empty.`;
    throw new GatewayError("invalid_configuration", message, { param: "models", provider: name });
  }
  const runtime = createRuntime({ provider: name, models: Object.fromEntries(models), library, threads, llama });
  return defineProvider({
    name,
    chat: (request, call) => chat(runtime, requestOf(request, call, name), call),
    streamChat: (request, call) => streamChat(runtime, requestOf(request, call, name), call),
    embed: (request, call) => embed(runtime, request, call),
    listModels: async () => models.map(([id]) => ({ id: String(id) })),
    close: () => runtime.close(),
  });
}

/** The package is named at run time: it is an optional peer, whose types are not installed here. */
async function importLibrary(): Promise<LlamaLibrary> {
  const name = "node-llama-cpp";
  return import(name);
}

/** Fields that have no meaning for a model in this process. */
const ignored = [
  "logit_bias",
  "n",
  "modalities",
  "prediction",
  "web_search_options",
  "verbosity",
  "service_tier",
  "anthropic",
];

function requestOf(request: ChatRequest, call: ProviderCall, provider: string): GenerationRequest {
  const warned = new Set<string>();
  const warn = (what: string) => {
    if (!warned.has(what)) call.warn(`${what} is not supported by ${provider}`);
    warned.add(what);
  };
  for (const field of ignored) if (request[field] !== undefined && request[field] !== null) warn(`\`${field}\``);
  if (request.reasoning !== undefined) warn("`reasoning`");
  return { request, signal: call.signal, warn };
}

async function chat(runtime: LlamaRuntime, settings: GenerationRequest, call: ProviderCall): Promise<ChatResponse> {
  const loaded = await runtime.find(call.model);
  if (settings.request.logprobs) {
    const { text, content, ended } = await choiceLogprobs(loaded, settings);
    return wholeOf({ text, thought: "", ended, call }, { log_probs: { content } });
  }
  const reported = { text: "", thought: "" };
  const ended = await generate(loaded, settings, ({ kind, text }) => {
    reported[kind] += text;
  });
  return wholeOf({ ...reported, ended, call });
}

interface GeneratedText {
  readonly text: string;
  readonly thought: string;
  readonly ended: GenerationResult;
  readonly call: ProviderCall;
}

function wholeOf(
  { text, thought, ended, call }: GeneratedText,
  more: Partial<ChatResponse["choices"][number]> = {},
): ChatResponse {
  const { finishReason, usage } = ended;
  const calls = callsOf(ended, call);
  const message = {
    role: "assistant" as const,
    content: text === "" && calls.length > 0 ? null : text,
    ...(thought === "" ? {} : { reasoning: thought }),
    ...(calls.length === 0 ? {} : { tool_calls: calls.map(({ index: _index, ...rest }) => rest) }),
  };
  const choices = [{ index: 0, finish_reason: finishReason, message, ...more }];
  return { ...headOf(call), object: "chat.completion", choices, usage };
}

function callsOf({ calls }: GenerationResult, { id }: ProviderCall) {
  return calls.map((called, index) => ({
    index,
    id: `call_${id}_${index}`,
    type: "function" as const,
    function: { ...called },
  }));
}

function headOf({ id, startedAt, model }: ProviderCall) {
  return { id, created: Math.floor(startedAt / 1_000), model };
}

/** The library reports through callbacks; a platform stream buffers the pieces until they are read. */
async function* streamChat(
  runtime: LlamaRuntime,
  settings: GenerationRequest,
  call: ProviderCall,
): AsyncGenerator<ChatChunk> {
  const chunk = (choices: ChunkChoice[]): ChatChunk => ({ ...headOf(call), object: "chat.completion.chunk", choices });
  const add = (delta: ChunkChoice["delta"]) => chunk([{ index: 0, finish_reason: null, delta }]);
  const loaded = await runtime.find(call.model);
  const hangUp = new AbortController();
  const signal = AbortSignal.any([settings.signal, hangUp.signal]);
  let ended: GenerationResult | undefined;
  let isRead = true;
  const pieces = new ReadableStream<GeneratedPiece>({
    start(controller) {
      const onPiece = (piece: GeneratedPiece) => void (isRead && controller.enqueue(piece));
      generate(loaded, { ...settings, signal }, onPiece).then(
        (end) => {
          ended = end;
          if (isRead) controller.close();
        },
        (thrown) => controller.error(thrown),
      );
    },
    cancel() {
      isRead = false;
    },
  });
  try {
    for await (const { kind, text } of pieces) yield add(kind === "text" ? { content: text } : { reasoning: text });
  } finally {
    hangUp.abort();
  }
  if (!ended) return;
  for (const each of callsOf(ended, call)) yield add({ tool_calls: [each] });
  yield chunk([{ index: 0, finish_reason: ended.finishReason, delta: {} }]);
  yield { ...chunk([]), usage: ended.usage };
}

async function embed(runtime: LlamaRuntime, request: EmbeddingRequest, call: ProviderCall): Promise<EmbeddingResponse> {
  const context = await (await runtime.find(call.model)).embeddings();
  const data: EmbeddingResponse["data"] = [];
  let tokens = 0;
  for (const [index, text] of textsOf(request, "llama-cpp").entries()) {
    call.signal.throwIfAborted();
    const { vector } = await context.getEmbeddingFor(text);
    tokens += context.calculateInputLength(text);
    data.push({ index, object: "embedding", embedding: inFormat([...vector], request.encoding_format) });
  }
  const usage = { prompt_tokens: tokens, completion_tokens: 0, total_tokens: tokens };
  return { object: "list", model: call.model, data, usage };
}
