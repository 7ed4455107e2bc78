/** The parts of the Gemini API (v1beta) that are read and written here. Answers are foreign: every field may be absent. */

interface Blob {
  readonly mimeType?: string | undefined;
  readonly data?: string | undefined;
}

export interface WirePart {
  readonly text?: string | undefined;
  readonly thought?: boolean | undefined;
  readonly thoughtSignature?: string | undefined;
  readonly inlineData?: Blob | undefined;
  readonly fileData?: { readonly mimeType?: string | undefined; readonly fileUri: string } | undefined;
  readonly functionCall?: {
    readonly id?: string | undefined;
    readonly name?: string | undefined;
    readonly args?: Record<string, unknown> | undefined;
  };
  readonly functionResponse?: {
    readonly id?: string | undefined;
    readonly name: string;
    readonly response: Record<string, unknown>;
    readonly parts?: readonly WirePart[] | undefined;
  };
}

export interface WireContent {
  readonly role?: "user" | "model" | undefined;
  readonly parts: readonly WirePart[];
}

export interface WireFunction {
  readonly name: string;
  readonly description?: string | undefined;
  readonly parametersJsonSchema?: unknown;
}

export interface WireTool {
  readonly functionDeclarations?: readonly WireFunction[] | undefined;
  readonly googleSearch?: Record<string, never> | undefined;
}

export interface WireToolConfig {
  readonly functionCallingConfig: {
    readonly mode: "AUTO" | "ANY" | "NONE" | "VALIDATED";
    readonly allowedFunctionNames?: readonly string[] | undefined;
  };
}

export interface ThinkingConfig {
  readonly thinkingLevel?: "MINIMAL" | "LOW" | "MEDIUM" | "HIGH" | undefined;
  readonly thinkingBudget?: number | undefined;
  readonly includeThoughts?: boolean | undefined;
}

export interface GenerationConfig {
  readonly temperature?: number | undefined;
  readonly topP?: number | undefined;
  readonly topK?: number | undefined;
  readonly maxOutputTokens?: number | undefined;
  readonly candidateCount?: number | undefined;
  readonly stopSequences?: readonly string[] | undefined;
  readonly seed?: number | undefined;
  readonly presencePenalty?: number | undefined;
  readonly frequencyPenalty?: number | undefined;
  readonly responseMimeType?: string | undefined;
  readonly responseJsonSchema?: unknown;
  readonly responseLogprobs?: boolean | undefined;
  readonly logprobs?: number | undefined;
  readonly responseModalities?: readonly string[] | undefined;
  readonly thinkingConfig?: ThinkingConfig | undefined;
}

/** Body of `generateContent` and `streamGenerateContent`; what is `undefined` is not sent. */
export interface WireRequest {
  readonly systemInstruction: WireContent | undefined;
  readonly contents: readonly WireContent[];
  readonly tools: readonly WireTool[] | undefined;
  readonly toolConfig: WireToolConfig | undefined;
  readonly generationConfig: GenerationConfig | undefined;
  readonly serviceTier: string | undefined;
}

interface ModalityCount {
  readonly modality?: string;
  readonly tokenCount?: number;
}

export interface WireUsage {
  readonly promptTokenCount?: number;
  readonly candidatesTokenCount?: number;
  readonly thoughtsTokenCount?: number;
  readonly toolUsePromptTokenCount?: number;
  readonly cachedContentTokenCount?: number;
  readonly promptTokensDetails?: readonly ModalityCount[];
  readonly toolUsePromptTokensDetails?: readonly ModalityCount[];
  readonly candidatesTokensDetails?: readonly ModalityCount[];
  readonly serviceTier?: string;
}

export interface WireGrounding {
  readonly groundingChunks?: readonly { readonly web?: { readonly uri?: string; readonly title?: string } }[];
  readonly groundingSupports?: readonly {
    readonly segment?: { readonly startIndex?: number; readonly endIndex?: number };
    readonly groundingChunkIndices?: readonly number[];
  }[];
  readonly webSearchQueries?: readonly string[];
}

export interface WireCitationSource {
  readonly uri?: string;
  readonly title?: string;
  readonly startIndex?: number;
  readonly endIndex?: number;
}

interface WireToken {
  readonly token?: string;
  readonly logProbability?: number;
}

export interface WireLogprobs {
  readonly chosenCandidates?: readonly WireToken[];
  readonly topCandidates?: readonly { readonly candidates?: readonly WireToken[] }[];
}

export interface WireCandidate {
  readonly index?: number;
  readonly content?: { readonly parts?: readonly WirePart[] };
  readonly finishReason?: string;
  readonly finishMessage?: string;
  readonly groundingMetadata?: WireGrounding;
  readonly citationMetadata?: { readonly citationSources?: readonly WireCitationSource[] };
  readonly logprobsResult?: WireLogprobs;
}

/** A whole answer, or one event of a stream. */
export interface WireResponse {
  readonly candidates?: readonly WireCandidate[];
  readonly promptFeedback?: { readonly blockReason?: string; readonly blockReasonMessage?: string };
  readonly usageMetadata?: WireUsage;
  readonly modelVersion?: string;
  readonly responseId?: string;
}
