/** What is used of `node-llama-cpp`, version 3. Its own types would have to be installed, and they come with a gigabyte of binaries. */
export interface LlamaLibrary {
  getLlama(options?: object): Promise<Llama>;
  readonly LlamaChat: new (options: { contextSequence: LlamaSequence }) => LlamaChat;
}

/** A token of a model's vocabulary. */
export type TokenId = number;

export interface Llama {
  loadModel(options: { modelPath: string }): Promise<LlamaModel>;
  createGrammarForJsonSchema(schema: object): Promise<Grammar>;
  getGrammarFor(kind: "json"): Promise<Grammar>;
  dispose(): Promise<void>;
}

/** What may be generated. */
export type Grammar = object;

export interface LlamaModel {
  readonly tokenizer: unknown;
  detokenize(tokens: readonly TokenId[], specialTokens?: boolean): string;
  isEogToken(token: TokenId | undefined): boolean;
  createContext(options: { contextSize?: number; sequences: number; threads?: number }): Promise<LlamaContext>;
  createEmbeddingContext(options: { contextSize?: number; threads?: number }): Promise<LlamaEmbeddings>;
}

export interface LlamaContext {
  getSequence(): LlamaSequence;
}

export interface LlamaEmbeddings {
  getEmbeddingFor(text: string): Promise<{ readonly vector: readonly number[] }>;
  calculateInputLength(text: string): number;
}

export interface LlamaSequence {
  readonly model: LlamaModel;
  readonly contextSize: number;
  readonly tokenMeter: { readonly usedInputTokens: number; readonly usedOutputTokens: number };
  /** The tokens that were read, and their number: the next one is read behind them. */
  readonly contextTokens: readonly TokenId[];
  readonly nextTokenIndex: number;
  eraseContextTokenRanges(ranges: readonly { readonly start: number; readonly end: number }[]): Promise<void>;
  evaluateWithMetadata(
    tokens: readonly TokenId[],
    metadata: { readonly probabilities: true },
    options: object,
  ): AsyncGenerator<{ readonly token: TokenId; readonly probabilities: ReadonlyMap<TokenId, number> }>;
}

/** A conversation as the library keeps it. */
export type HistoryItem =
  | { readonly type: "system" | "user"; readonly text: string }
  | { readonly type: "model"; readonly response: (string | FunctionResult)[] };

export interface FunctionResult {
  readonly type: "functionCall";
  readonly name: string;
  readonly params: unknown;
  result: unknown;
}

export interface LlamaChat {
  readonly chatWrapper: {
    generateContextState(options: { chatHistory: readonly HistoryItem[]; availableFunctions?: object }): {
      readonly contextText: { tokenize(tokenizer: unknown): TokenId[] };
    };
  };
  generateResponse(history: readonly HistoryItem[], options: object): Promise<GeneratedResponse>;
  dispose(options: { disposeSequence: boolean }): void;
}

/** What was generated, once it is. */
export interface GeneratedResponse {
  readonly functionCalls?: readonly { readonly functionName: string; readonly params: unknown }[];
  readonly metadata: { readonly stopReason: string };
}

/** A piece of a response: text, or a part of a thought. */
export interface ResponseChunk {
  readonly type?: "segment" | undefined;
  readonly segmentType?: string | undefined;
  readonly text: string;
}
