import { z } from "zod";
import { CacheControl } from "./common.ts";

const cached = { cache_control: CacheControl.optional() };

/** Of an answer's texts: the place among its thoughts, texts and calls, where the texts do not just stand before the calls. */
const positioned = { index: z.int().optional() };

/** One part of a message's content. */
export const ContentPart = z.discriminatedUnion("type", [
  z.looseObject({
    type: z.literal("text"),
    text: z.string(),
    /** In the result of a search for tools: the name of the one that it found, which `text` says to targets without such results. */
    tool_reference: z.string().optional(),
    ...cached,
    ...positioned,
  }),
  z.looseObject({
    type: z.literal("image_url"),
    image_url: z.looseObject({ url: z.string(), detail: z.string().optional() }),
    ...cached,
  }),
  z.looseObject({
    type: z.literal("input_audio"),
    input_audio: z.looseObject({ data: z.string(), format: z.string() }),
    ...cached,
  }),
  z.looseObject({
    type: z.literal("file"),
    file: z.looseObject({
      file_data: z.string().optional(),
      file_id: z.string().optional(),
      file_url: z.string().optional(),
      filename: z.string().optional(),
    }),
    ...cached,
  }),
  z.looseObject({ type: z.literal("refusal"), refusal: z.string(), ...cached, ...positioned }),
]);
export type ContentPart = z.infer<typeof ContentPart>;

/**
 * A call of a tool; `arguments` is JSON text, kept byte for byte. `index` is the number of the call in a stream; in a whole message whose
 * texts have places, too, it is the place of the call among thoughts, texts and calls.
 */
export const ToolCall = z.looseObject({
  index: z.int().optional(),
  type: z.string().optional(),
  id: z.string().optional(),
  function: z.looseObject({ name: z.string().optional(), arguments: z.string().optional() }).optional(),
});
export type ToolCall = z.infer<typeof ToolCall>;

/** A tool-call delta of a stream: `function` is there in each, but for those of a custom tool, which have `custom` in its place. */
export type ToolCallDelta = ToolCall;

/** A block of the model's reasoning; `signature` and `data` go back to the provider byte for byte. */
export const ReasoningDetail = z.looseObject({
  id: z.string().nullish(),
  index: z.int().optional(),
  type: z.enum(["reasoning.summary", "reasoning.encrypted", "reasoning.text"]),
  summary: z.string().optional(),
  text: z.string().nullish(),
  signature: z.string().nullish(),
  data: z.string().optional(),
});
export type ReasoningDetail = z.infer<typeof ReasoningDetail>;
export const ReasoningDetails = z.array(ReasoningDetail);

export const Audio = z.looseObject({
  id: z.string().optional(),
  data: z.string().optional(),
  transcript: z.string().optional(),
  expires_at: z.int().optional(),
});

/** A source that the text refers to. */
export const Annotation = z.looseObject({
  type: z.string(),
  url_citation: z
    .looseObject({
      start_index: z.int().optional(),
      end_index: z.int().optional(),
      title: z.string().optional(),
      url: z.string().optional(),
      type: z.string().optional(),
      sources: z.unknown().optional(),
    })
    .optional(),
});
export type Annotation = z.infer<typeof Annotation>;

/** One message: of a request's conversation, or the `message` of a choice. */
export const ChatMessage = z.looseObject({
  role: z.enum(["system", "developer", "user", "assistant", "tool"]),
  name: z.string().optional(),
  content: z.union([z.string(), z.array(ContentPart)]).nullish(),
  tool_call_id: z.string().optional(),
  /** Of a tool's result: the tool failed. Vendors without such a field get it in the text. */
  is_error: z.boolean().optional(),
  refusal: z.string().nullish(),
  audio: Audio.nullish(),
  reasoning: z.string().nullish(),
  reasoning_details: ReasoningDetails.optional(),
  /** The places of the texts that `content` consists of, where they do not just stand before the calls: each up to `end_index`. */
  text_blocks: z.array(z.looseObject({ index: z.int(), end_index: z.int() })).optional(),
  annotations: z.array(Annotation).optional(),
  tool_calls: z.array(ToolCall).optional(),
});
export type ChatMessage = z.infer<typeof ChatMessage>;

/** A call of a function; `arguments` is the JSON text that the model wrote. */
export interface FunctionToolCall extends ToolCall {
  type: "function";
  id: string;
  function: { [name: string]: unknown; name: string; arguments: string };
}

/** A call of a custom tool; `input` is the text that the model wrote. */
export interface CustomToolCall extends ToolCall {
  type: "custom";
  id: string;
  custom: { [name: string]: unknown; name: string; input: string };
}

/** The message of a whole answer: its calls are complete. */
export interface AnsweredMessage extends ChatMessage {
  tool_calls?: (FunctionToolCall | CustomToolCall)[] | undefined;
}

/** What one chunk adds to a message. */
export const Delta = z.looseObject({
  role: z.string().optional(),
  content: z.string().nullish(),
  refusal: z.string().nullish(),
  reasoning: z.string().nullish(),
  audio: Audio.optional(),
  reasoning_details: ReasoningDetails.optional(),
  annotations: z.array(Annotation).optional(),
  tool_calls: z.array(ToolCall).optional(),
});
export type Delta = z.infer<typeof Delta>;
