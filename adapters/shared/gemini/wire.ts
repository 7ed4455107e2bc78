/** The parts of the Gemini API (v1beta) that are read and written here. Answers are foreign: every field may be absent. */

import type { WireLogprobs } from "../../../src/engine/dialects/gemini/log-probs.ts";
import type { WireCitationSource, WireGrounding } from "../../../src/engine/dialects/gemini/sources.ts";
import type { FunctionCallingConfig } from "../../../src/engine/dialects/gemini/tool-choice.ts";
import type { GeminiWireUsage } from "../../../src/engine/dialects/gemini/usage.ts";

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

export interface GeminiWireTool {
  readonly functionDeclarations?: readonly WireFunction[] | undefined;
  readonly googleSearch?: Record<string, never> | undefined;
}

export interface WireToolConfig {
  readonly functionCallingConfig: FunctionCallingConfig;
}

export interface ThinkingConfig {
  /** `MINIMAL`, `LOW`, `MEDIUM`, `HIGH`, or a word of the configuration. */
  readonly thinkingLevel?: string | undefined;
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
export interface GeminiWireRequest {
  readonly systemInstruction: WireContent | undefined;
  readonly contents: readonly WireContent[];
  readonly tools: readonly GeminiWireTool[] | undefined;
  readonly toolConfig: WireToolConfig | undefined;
  readonly generationConfig: GenerationConfig | undefined;
  readonly serviceTier: string | undefined;
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
  readonly usageMetadata?: GeminiWireUsage;
  readonly modelVersion?: string;
  readonly responseId?: string;
}
