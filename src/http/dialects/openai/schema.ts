import { z } from "zod";
import { MapAnswer } from "../../../engine/api/decisions.ts";
import { Delta } from "../../../engine/api/message.ts";

const TokenLogProb = z.looseObject({ token: z.string(), logprob: z.number() });
const LogProbs = z.looseObject({ content: z.array(TokenLogProb).nullish(), refusal: z.array(TokenLogProb).nullish() });

const count = z.int().nonnegative();

/** Counts under the vendor's names. */
export const OpenaiUsage = z.looseObject({
  prompt_tokens: count,
  completion_tokens: count,
  total_tokens: count,
  prompt_tokens_details: z.looseObject({ cached_tokens: count.optional() }).optional(),
  completion_tokens_details: z.looseObject({ reasoning_tokens: count.optional() }).optional(),
});
export type OpenaiUsage = z.infer<typeof OpenaiUsage>;

const envelope = { id: z.string(), created: z.int(), model: z.string(), usage: OpenaiUsage.nullish() };

/** A whole answer under the vendor's names. */
export const OpenaiCompletion = z.looseObject({
  ...envelope,
  object: z.literal("chat.completion"),
  choices: z.array(
    z.looseObject({
      index: z.int(),
      finish_reason: z.string(),
      logprobs: LogProbs.nullable(),
      message: z.looseObject({
        role: z.literal("assistant"),
        content: z.string().nullable(),
        refusal: z.string().nullable(),
      }),
    }),
  ),
});
export type OpenaiCompletion = z.infer<typeof OpenaiCompletion>;

/** One piece of a streamed answer under the vendor's names. */
export const OpenaiChunk = z.looseObject({
  ...envelope,
  object: z.literal("chat.completion.chunk"),
  choices: z.array(
    z.looseObject({
      index: z.int(),
      finish_reason: z.string().nullable(),
      logprobs: LogProbs.nullish(),
      delta: Delta,
    }),
  ),
});
export type OpenaiChunk = z.infer<typeof OpenaiChunk>;

export const OpenaiEmbeddings = z.looseObject({
  object: z.literal("list"),
  model: z.string(),
  data: z.array(z.looseObject({ object: z.string(), index: z.int() })),
  usage: z.looseObject({ prompt_tokens: count, total_tokens: count }),
});

export const OpenaiModel = z.looseObject({
  id: z.string(),
  object: z.literal("model"),
  created: z.int(),
  owned_by: z.string(),
});
export type OpenaiModel = z.infer<typeof OpenaiModel>;

export const OpenaiModelList = z.looseObject({ object: z.literal("list"), data: z.array(OpenaiModel) });

const OpenaiAnswer = z.looseObject({
  type: z.enum(["predicate", "choice", "score", "refusal"]),
  name: z.string().nullable(),
});

/** Answers to typed questions in the form of the questions: in their order, or by name. */
export const OpenaiDecision = z.looseObject({
  model: z.string(),
  answers: z.union([z.array(OpenaiAnswer), z.record(z.string(), MapAnswer)]),
  usage: z.looseObject({
    input_tokens: count,
    input_tokens_details: z.looseObject({ cached_tokens: count, cache_write_tokens: count }),
    output_tokens: count,
    output_tokens_details: z.looseObject({ reasoning_tokens: count }),
    total_tokens: count,
  }),
});
