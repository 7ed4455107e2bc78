import type { ChatRequest } from "../../../src/engine/api/chat.ts";
import type { Usage } from "../../../src/engine/api/usage.ts";
import { abortError } from "../../shared/http/failure.ts";
import { toHistory } from "./history.ts";
import type { GeneratedResponse, Grammar, LlamaSequence, ResponseChunk } from "./library.ts";
import type { LoadedModel } from "./runtime.ts";

/** A request on its way. */
export interface GenerationRequest {
  readonly request: ChatRequest;
  readonly signal: AbortSignal;
  warn(what: string): void;
}

/** What a generation has come to. */
export interface GenerationResult {
  readonly finishReason: string;
  readonly usage: Usage;
  readonly calls: readonly { readonly name: string; readonly arguments: string }[];
}

/** A piece of text, or of a thought. */
export type GeneratedPiece = { readonly kind: "text" | "thought"; readonly text: string };

/** Generates an answer; `onPiece` gets each piece. */
export function generate(
  loaded: LoadedModel,
  requested: GenerationRequest,
  onPiece: (piece: GeneratedPiece) => void,
): Promise<GenerationResult> {
  const { library } = loaded;
  return loaded.withSequence(requested.signal, async (sequence) => {
    const history = toHistory(requested.request.messages, requested.warn);
    const form = await formOf(loaded, requested);
    const chat = new library.LlamaChat({ contextSequence: sequence });
    let forced = "";
    const onResponseChunk = ({ type, segmentType, text }: ResponseChunk) => {
      if (form.forced !== undefined) forced += text;
      else if (type !== "segment") onPiece({ kind: "text", text });
      else if (segmentType === "thought") onPiece({ kind: "thought", text });
    };
    const availableFunctions = form.functions ? { availableFunctions: form.functions } : {};
    const state = chat.chatWrapper.generateContextState({ chatHistory: history, ...availableFunctions });
    const prompt = state.contextText.tokenize(sequence.model.tokenizer).length;
    const before = { ...meterOf(sequence) };
    try {
      const { forced: _name, ...allowed } = form;
      const raw = await chat.generateResponse(history, { ...sampling(requested), ...allowed, onResponseChunk });
      return endOf(raw, usageOf(prompt, before, sequence), form.forced && { name: form.forced, arguments: forced });
    } catch (thrown) {
      if (requested.signal.aborted) throw abortError(requested.signal);
      throw thrown;
    } finally {
      chat.dispose({ disposeSequence: false });
    }
  });
}

type GeneratedCall = GenerationResult["calls"][number];

function endOf(raw: GeneratedResponse, usage: Usage, forced: GeneratedCall | "" | undefined): GenerationResult {
  const calls = forced
    ? [forced]
    : (raw.functionCalls ?? []).map(({ functionName, params }) => {
        return { name: functionName, arguments: JSON.stringify(params ?? {}) };
      });
  const isCut = raw.metadata.stopReason === "maxTokens";
  const finishReason = isCut ? "length" : calls.length > 0 ? "tool_calls" : "stop";
  return { finishReason, usage, calls };
}

function meterOf({ tokenMeter: { usedInputTokens, usedOutputTokens } }: LlamaSequence) {
  return { usedInputTokens, usedOutputTokens };
}

/** What of the prompt the sequence still knew was not read again. */
function usageOf(prompt: number, before: ReturnType<typeof meterOf>, sequence: LlamaSequence): Usage {
  const now = meterOf(sequence);
  const completion = now.usedOutputTokens - before.usedOutputTokens;
  const cached = Math.max(0, prompt - (now.usedInputTokens - before.usedInputTokens));
  return {
    prompt_tokens: prompt,
    completion_tokens: completion,
    total_tokens: prompt + completion,
    ...(cached > 0 ? { prompt_tokens_details: { cached_read_tokens: cached } } : {}),
  };
}

/** The request's parameters as the library's. */
export function sampling({ request, signal }: Pick<GenerationRequest, "request" | "signal">): Record<string, unknown> {
  const { stop, top_k, frequency_penalty, presence_penalty } = request;
  const options = {
    maxTokens: request.max_completion_tokens,
    temperature: request.temperature ?? 1,
    topP: request.top_p,
    topK: typeof top_k === "number" ? top_k : undefined,
    seed: request.seed,
    customStopTriggers: typeof stop === "string" ? [stop] : stop,
    repeatPenalty:
      frequency_penalty === undefined && presence_penalty === undefined
        ? undefined
        : { penalty: 1, frequencyPenalty: frequency_penalty ?? 0, presencePenalty: presence_penalty ?? 0 },
  };
  return { signal, ...Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) };
}

/** What may be generated: anything, JSON, calls of functions, or one call that is asked for. */
interface Form {
  readonly grammar?: Grammar;
  readonly functions?: object;
  readonly maxParallelFunctionCalls?: number;
  /** The function whose arguments are all that is generated. */
  readonly forced?: string;
}

async function formOf({ llama }: LoadedModel, { request }: GenerationRequest): Promise<Form> {
  const { tools = [], tool_choice: choice, response_format: format, parallel_tool_calls: isParallel } = request;
  const functions = tools.flatMap(({ function: each }) => (each ? [each] : []));
  const filters = typeof choice === "object" ? choice.function?.name : undefined;
  const must = choice === "required" || (typeof choice === "object" && ["any", "required"].includes(choice.type));
  const one =
    functions.find(({ name }) => name === filters) ?? (must && functions.length === 1 ? functions[0] : undefined);
  if (one) return { forced: one.name, grammar: await llama.createGrammarForJsonSchema(one.parameters ?? {}) };
  const isOff = choice === "none" || (typeof choice === "object" && choice.type === "none");
  if (functions.length > 0 && !isOff) {
    const offered = functions.map(({ name, description, parameters }) => [name, { description, params: parameters }]);
    const limit = isParallel === false ? { maxParallelFunctionCalls: 1 } : {};
    return { functions: Object.fromEntries(offered), ...limit };
  }
  if (format?.type === "json_object") return { grammar: await llama.getGrammarFor("json") };
  if (format?.type !== "json_schema") return {};
  const { schema = {} } = (format.json_schema ?? {}) as { readonly schema?: object };
  return { grammar: await llama.createGrammarForJsonSchema(schema) };
}
