import { z } from "zod";

/** An answer under the vendors' names: `type`, and the value under the name of the type. */
const SystemoneAnswer = z.looseObject({ type: z.enum(["noul", "choice", "score", "box", "refusal"]) });

/** Answers to the questions by name. */
export const SystemoneResponse = z.looseObject({
  model: z.string(),
  answers: z.record(z.string(), SystemoneAnswer),
  usage: z.looseObject({ input_tokens: z.int(), output_tokens: z.int() }),
});

/** The models that can be asked. */
export const SystemoneModelList = z.object({
  models: z.array(z.object({ name: z.string(), description: z.string(), release_date: z.string() })),
});
