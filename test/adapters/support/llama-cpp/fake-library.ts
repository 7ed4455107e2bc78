import type {
  GeneratedResponse,
  HistoryItem,
  LlamaLibrary,
  LlamaSequence,
  TokenId,
} from "../../../../adapters/providers/llama-cpp/library.ts";

/** What was asked of the library. */
export interface Seen {
  readonly histories: (readonly HistoryItem[])[];
  readonly options: Record<string, unknown>[];
  readonly loaded: string[];
  readonly grammars: unknown[];
  /** For each answer with probabilities: tokens of its prompt that were read before, and those that were read for it. */
  readonly read: (readonly [known: number, read: number])[];
  /** Generations under way, now and at most. */
  running: number;
  most: number;
  disposed: number;
}

/** What the model does next. */
export interface Act {
  readonly chunks?: readonly object[];
  readonly calls?: GeneratedResponse["functionCalls"];
  readonly stopReason?: string;
  /** Generates nothing until it is aborted. */
  readonly isSilent?: boolean;
}

const words = ["<end>", "A", "B", " C", "The", "stop"];
const end: TokenId = 0;

/** A line is a token, the same for the same words. */
function tokenOf(line: string): TokenId {
  let sum = 7;
  for (let at = 0; at < line.length; at++) sum = (sum * 31 + line.charCodeAt(at)) % 1_000_003;
  return sum + 10;
}

/** A stand-in for `node-llama-cpp`: its shape as documented, a vocabulary of six tokens, and one act for every generation. */
export function fakeLibrary(acts: readonly Act[], likely: readonly number[] = [0.1, 0.5, 0.2, 0.1, 0.1, 0]) {
  const seen: Seen = {
    histories: [],
    options: [],
    loaded: [],
    grammars: [],
    read: [],
    running: 0,
    most: 0,
    disposed: 0,
  };
  const model = {
    tokenizer: "tokenizer",
    detokenize: (tokens: readonly TokenId[]) => tokens.map((token) => words[token]).join(""),
    isEogToken: (token: TokenId | undefined) => token === end,
    createContext: async () => ({ getSequence: () => sequenceOf() }),
    createEmbeddingContext: async () => ({
      getEmbeddingFor: async (text: string) => ({ vector: [text.length, 0.5] }),
      calculateInputLength: (text: string) => text.length,
    }),
  };
  const sequenceOf = (): LlamaSequence => {
    const meter = { usedInputTokens: 0, usedOutputTokens: 0 };
    const context: TokenId[] = [];
    return {
      model,
      contextSize: 512,
      tokenMeter: meter,
      get contextTokens() {
        return context;
      },
      get nextTokenIndex() {
        return context.length;
      },
      eraseContextTokenRanges: async ([range]) => void context.splice(range?.start ?? 0, Infinity),
      async *evaluateWithMetadata(tokens) {
        seen.read.push([context.length, tokens.length]);
        context.push(...tokens);
        const probabilities = new Map(likely.map((probability, token) => [token, probability]));
        for (const token of [1, 4, 5, end]) {
          yield { token, probabilities };
          context.push(token);
        }
      },
    };
  };
  class LlamaChat {
    readonly #sequence: LlamaSequence;
    constructor({ contextSequence }: { contextSequence: LlamaSequence }) {
      this.#sequence = contextSequence;
    }
    readonly chatWrapper = {
      generateContextState: ({ chatHistory }: { chatHistory: readonly HistoryItem[] }) => ({
        contextText: { tokenize: () => chatHistory.flatMap((item) => JSON.stringify(item).split("\\n").map(tokenOf)) },
      }),
    };
    async generateResponse(history: readonly HistoryItem[], options: object): Promise<GeneratedResponse> {
      seen.histories.push(history);
      seen.options.push(options as Record<string, unknown>);
      seen.most = Math.max(seen.most, ++seen.running);
      const { signal, onResponseChunk } = options as { signal: AbortSignal; onResponseChunk(chunk: object): void };
      const act = acts[Math.min(seen.options.length, acts.length) - 1] ?? {};
      try {
        await new Promise((resolve) => setImmediate(resolve));
        signal.throwIfAborted();
        if (act.isSilent) {
          await new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
        }
        for (const chunk of act.chunks ?? []) onResponseChunk(chunk);
      } finally {
        seen.running--;
      }
      const meter = this.#sequence.tokenMeter as { usedInputTokens: number; usedOutputTokens: number };
      meter.usedInputTokens += 1;
      meter.usedOutputTokens += act.chunks?.length ?? 0;
      const { calls, stopReason = "eogToken" } = act;
      return { metadata: { stopReason }, ...(calls ? { functionCalls: calls } : {}) };
    }
    dispose(): void {}
  }
  const library: LlamaLibrary = {
    getLlama: async () => ({
      loadModel: async ({ modelPath }) => {
        seen.loaded.push(modelPath);
        if (modelPath.includes("missing")) throw new Error("no such file");
        return model;
      },
      createGrammarForJsonSchema: async (schema) => {
        seen.grammars.push(schema);
        return { schema };
      },
      getGrammarFor: async (kind) => ({ kind }),
      dispose: async () => void seen.disposed++,
    }),
    LlamaChat,
  };
  return { library: async () => library, seen };
}
