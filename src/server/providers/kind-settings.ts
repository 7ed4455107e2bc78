import { z } from "zod";
import { duration } from "../../engine/options/duration.ts";

/** A text that is not empty. */
export const text = z.string().min(1, "must not be empty");
const credential = z.strictObject({
  id: text,
  apiKey: text,
  weight: z.number().nonnegative().optional(),
  models: z.array(text).optional(),
  blockedModels: z.array(text).optional(),
  aliases: z.record(text, text).optional(),
});
/** How long `local` waits before each word. */
export const pause = duration("ms", z.number().min(0).max(60_000));

/** What the settings of all providers over HTTP have in common. */
export const common = {
  apiKey: text.optional(),
  credentials: z.array(credential).min(1, "must hold at least one key").optional(),
  baseUrl: z.url({ protocol: /^https?$/, error: "must be an http or https address" }).optional(),
  headers: z.record(text, z.string()).optional(),
};

const interfaceName = z.enum(["auto", "chat", "responses"]);
const modelSetting = z.strictObject({
  efforts: z.record(text, text).optional(),
  tiers: z.record(text, text).optional(),
  parameters: z.record(text, z.boolean()).optional(),
});
/** Of vendors with OpenAI's Responses API: which interface chats go to, for all models or by patterns of their names. */
export const upstream = z
  .union([interfaceName, z.record(text, interfaceName)], {
    error: "must be `auto`, `chat` or `responses`, or one of them by model",
  })
  .optional();

/** What models take otherwise than this release says, by patterns of their names. */
export const modelRules = z.record(text, modelSetting).optional();

/** A model of node-llama-cpp, by its file. */
export const llamaModel = z.strictObject({
  path: text,
  contextSize: z.int().positive().optional(),
  sequences: z.int().positive().optional(),
});
