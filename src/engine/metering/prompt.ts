import type { ChatRequest } from "../api/chat.ts";
import type { ChatMessage, ContentPart } from "../api/message.ts";
import { utf8Length } from "../runtime/utf8.ts";
import { boundAudio, boundImage } from "./media.ts";

/** What chat formats add to a message: role, separators, channel. OpenAI documents 3, header-based templates take up to 6. */
export const perMessage = 8;
/** What begins the answer, and a system prompt that a template adds. */
export const perChat = 64;
/** What a vendor's own instructions for using tools take; Anthropic documents up to 804. */
export const perToolUse = 1_024;
const perTool = 16;
/** Parts of unknown size (a file behind an id or a link): what a soft budget counts them as. */
const softFile = 16_384;

/**
 * An upper bound of the tokens of a text: its UTF-8 bytes, since every token of a byte-level encoding stands for at least one byte.
 * Tokenizers that normalise (SentencePiece, WordPiece) may read more than what was written: one ligature is eighteen letters to them, so
 * that what they make of the text is bounded, too. Costs nanoseconds for text of ASCII; English has a quarter as many tokens, East Asian
 * scripts a third.
 */
export function boundText(text: string): number {
  const bytes = utf8Length(text);
  if (bytes === text.length) return bytes; // ASCII is what every normalisation leaves it
  const rest = text.replace(asciiRun, " "); // what stood apart stays apart
  const normalized = Math.max(utf8Length(rest.normalize("NFKD")), utf8Length(rest.toLowerCase().normalize("NFKD")));
  return Math.max(bytes, text.length - rest.length + normalized); // NFKC takes no more bytes than NFKD, which it composes again
}

const asciiRun = /[\0-\x7f]+/g;

/** The bound of any JSON as it stands in a prompt. */
export function boundJson(value: unknown): number {
  return value === undefined ? 0 : boundText(JSON.stringify(value) ?? "");
}

/**
 * The bound of all fields but these. Fields that nobody here knows are passed on to providers, who may read them as a part of the prompt;
 * most requests have none, and cost a look at each name.
 */
export function boundUnknown(fields: object, known: ReadonlySet<string>): number {
  let bytes = 0;
  for (const name in fields) if (!known.has(name)) bytes += boundField(fields, name);
  return bytes;
}

function boundField(fields: object, name: string): number {
  const value: unknown = fields[name as keyof typeof fields];
  return value === undefined || value === null ? 0 : boundText(name) + boundJson(value);
}

/** Fields of a chat request that are no part of its prompt, or are bounded by themselves. */
export const knownOfChat: ReadonlySet<string> = new Set(
  (
    "model messages fallbacks stream stream_options n max_completion_tokens modalities logprobs top_logprobs " +
    "frequency_penalty presence_penalty temperature top_p seed stop logit_bias reasoning reasoning_effort verbosity " +
    "metadata user safety_identifier service_tier store truncation prompt_cache_key prompt_cache_retention " +
    "tools tool_choice parallel_tool_calls response_format prediction web_search_options"
  ).split(" "),
);
/** Fields of a message that {@link addMessage} looks at. */
const knownOfMessage: ReadonlySet<string> = new Set(
  "role content name tool_call_id refusal reasoning reasoning_details tool_calls audio".split(" "),
);

/** What a conversation adds up to. */
export interface Tally {
  readonly model: string;
  text: number;
  audio: number;
  images: number;
  /** Parts that only the window bounds. */
  opaque: number;
  isCachedForHour: boolean;
}

/** The parts of a chat request that its prompt is made of. */
export type Prompt = Pick<ChatRequest, "messages"> & Partial<Pick<ChatRequest, "tools" | "response_format">>;

/** What a prompt adds up to at most for a model, by its bytes and by the vendors' rules for images and sound. */
export function tallyPrompt(request: Prompt, model: string): Tally {
  const { messages, tools, response_format } = request;
  const tally: Tally = { model, text: perChat, audio: 0, images: 0, opaque: 0, isCachedForHour: false };
  for (const message of messages) addMessage(tally, message);
  if (tools) addTools(tally, tools);
  tally.text += boundJson(response_format) + boundUnknown(request, knownOfChat);
  return tally;
}

/** Tokens that everything but text is taken for: images and sound at their bounds, files at what a soft budget counts them as. */
export function sizeMedia({ audio, images, opaque }: Tally): number {
  return audio + images + opaque * softFile;
}

function addTools(tally: Tally, tools: NonNullable<ChatRequest["tools"]>): void {
  tally.text += perToolUse + tools.length * perTool + boundJson(tools);
  tally.isCachedForHour ||= tools.some((tool) => tool.cache_control?.ttl === "1h");
}

function addMessage(tally: Tally, message: ChatMessage): void {
  const { content, name, tool_call_id, refusal, reasoning, reasoning_details, tool_calls, audio } = message;
  tally.text += perMessage + boundUnknown(message, knownOfMessage);
  if (typeof content === "string") tally.text += boundText(content);
  else if (content) for (const part of content) addPart(tally, part);
  if (name) tally.text += boundText(name);
  if (tool_call_id) tally.text += boundText(tool_call_id);
  if (refusal) tally.text += boundText(refusal);
  if (reasoning) tally.text += boundText(reasoning);
  if (reasoning_details) tally.text += boundJson(reasoning_details);
  if (tool_calls) tally.text += tool_calls.length * perTool + boundJson(tool_calls);
  // An earlier spoken answer is named by its id only.
  if (audio) tally.opaque += 1;
}

function addPart(tally: Tally, part: ContentPart): void {
  // What a part holds stands in the field that has the name of its type.
  for (const name in part)
    if (name !== part.type && name !== "type" && name !== "cache_control") tally.text += boundField(part, name);
  tally.isCachedForHour ||= part.cache_control?.ttl === "1h";
  switch (part.type) {
    case "text":
      tally.text += boundText(part.text);
      break;
    case "refusal":
      tally.text += boundText(part.refusal);
      break;
    case "image_url":
      tally.images += boundImage(tally.model);
      break;
    case "input_audio":
      tally.audio += boundAudio(part.input_audio.data);
      break;
    case "file":
      tally.opaque += 1;
      break;
  }
}
