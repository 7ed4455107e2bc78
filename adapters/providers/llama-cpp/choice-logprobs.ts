import type { LogProbs } from "../../../src/engine/api/chat.ts";
import { abortError } from "../../shared/http/failure.ts";
import { type GenerationRequest, type GenerationResult, sampling } from "./generate.ts";
import { toHistory } from "./history.ts";
import type { LlamaModel, LlamaSequence, TokenId } from "./library.ts";
import type { LoadedModel } from "./runtime.ts";

/** Tokens of an answer with log probabilities where the request sets no bound. */
const mostTokens = 4_096;

/** Text with the probability of each of its tokens. */
export interface ScoredText {
  readonly text: string;
  readonly content: NonNullable<LogProbs["content"]>;
  readonly ended: GenerationResult;
}

/** Generates an answer token by token and keeps what the model thought of the alternatives; stop sequences end it, tools are not offered. */
export function choiceLogprobs(
  { library, withSequence }: LoadedModel,
  requested: GenerationRequest,
): Promise<ScoredText> {
  const { request, signal } = requested;
  return withSequence(signal, async (sequence) => {
    const { model } = sequence;
    const chat = new library.LlamaChat({ contextSequence: sequence });
    const history = toHistory(request.messages, requested.warn);
    const prompt = chat.chatWrapper
      .generateContextState({ chatHistory: history })
      .contextText.tokenize(model.tokenizer);
    const { maxTokens = mostTokens, customStopTriggers = [], ...options } = sampling(requested);
    const content: ScoredText["content"] = [];
    const tokens: TokenId[] = [];
    let reason = "length";
    let text = "";
    const known = await forgetRest(sequence, prompt);
    for await (const { token, probabilities } of sequence.evaluateWithMetadata(
      prompt.slice(known),
      { probabilities: true },
      options,
    )) {
      if (signal.aborted) throw abortError(signal);
      const isEnd = model.isEogToken(token);
      if (!isEnd) tokens.push(token);
      const written = model.detokenize(tokens);
      content.push(describe(model, { token, probabilities, count: request.top_logprobs ?? 0 }));
      const stop = (customStopTriggers as string[]).find((each) => written.includes(each));
      text = stop === undefined ? written : written.slice(0, written.indexOf(stop));
      if (isEnd || stop !== undefined) reason = "stop";
      if (reason === "stop" || content.length >= Number(maxTokens)) break;
    }
    chat.dispose({ disposeSequence: false });
    const completion = content.length;
    const usage = {
      prompt_tokens: prompt.length,
      completion_tokens: completion,
      total_tokens: prompt.length + completion,
      ...(known > 0 ? { prompt_tokens_details: { cached_read_tokens: known } } : {}),
    };
    return { text, content, ended: { finishReason: reason, usage, calls: [] } };
  });
}

/**
 * Makes a sequence forget what differs from a prompt, and returns how many tokens of the prompt it has read already: orders of the options
 * and questions about the same state share all that stands in front of them. The last token is read anew, since the answer follows it.
 */
async function forgetRest(sequence: LlamaSequence, prompt: readonly TokenId[]): Promise<number> {
  const { contextTokens } = sequence;
  let shared = 0;
  while (shared < prompt.length - 1 && contextTokens[shared] === prompt[shared]) shared++;
  const end = sequence.nextTokenIndex;
  if (end > shared) await sequence.eraseContextTokenRanges([{ start: shared, end }]);
  return sequence.nextTokenIndex;
}

interface Drawn {
  readonly token: TokenId;
  readonly probabilities: ReadonlyMap<TokenId, number>;
  readonly count: number;
}

/** The probabilities are those of the model itself, in falling order, before any sampling. */
function describe(model: LlamaModel, { token, probabilities, count }: Drawn): ScoredText["content"][number] {
  const one = (each: TokenId) => {
    const text = model.detokenize([each], true);
    return { token: text, logprob: logOf(probabilities.get(each)), bytes: [...Buffer.from(text)] };
  };
  const top = [...probabilities].sort(([, a], [, b]) => b - a).slice(0, count);
  return { ...one(token), top_logprobs: top.map(([each]) => one(each)) };
}

/** JSON has no −∞. */
function logOf(probability: number | undefined): number {
  return probability ? Math.log(probability) : -9_999;
}
