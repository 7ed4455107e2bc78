import type { ChatMessage, ContentPart } from "../../../../engine/api/message.ts";
import { dataUrl } from "../../../../engine/dialects/content.ts";
import { invalidRequest } from "../../../../engine/dialects/refusals.ts";
import { addMessage, contentOf, type MessageReading } from "../../shared/content.ts";
import type { FieldPath, Notes } from "../../shared/translation-warnings.ts";
import { type ModelTurn, modelTurn } from "../model-turn.ts";
import { type OpenCalls, openCallsOf, takeCall } from "../open-calls.ts";
import type { GenaiContent, GenaiPart, GenaiRequest, GenaiTurn } from "../schema.ts";

/** The kinds of audio that others call by another name. */
const audioFormats: Readonly<Record<string, string>> = { mpeg: "mp3", "x-wav": "wav", wave: "wav" };

/** One part of a user's turn; `field.path` is its path. Empty texts are dropped. */
function readUserPart(part: GenaiPart, field: FieldPath): ContentPart[] {
  const { text, inlineData, fileData } = part;
  if (inlineData !== undefined) return [readInline(inlineData)];
  if (fileData !== undefined) return [readDistant(fileData)];
  if (text !== undefined) return text === "" ? [] : [{ type: "text", text }];
  const [kind] = Object.keys(part);
  if (kind === undefined) return [];
  throw invalidRequest(`${field.path}.${kind}`, "cannot be sent in this role.");
}

/** Inline content as a part of ours. */
function readInline({ mimeType, data }: NonNullable<GenaiPart["inlineData"]>): ContentPart {
  const [kind, subtype = ""] = mimeType.toLowerCase().split("/");
  if (kind === "image") return { type: "image_url", image_url: { url: dataUrl(mimeType, data) } };
  if (kind === "audio") return { type: "input_audio", input_audio: { data, format: audioFormats[subtype] ?? subtype } };
  return { type: "file", file: { file_data: dataUrl(mimeType, data) } };
}

function readDistant({ mimeType = "", fileUri }: NonNullable<GenaiPart["fileData"]>): ContentPart {
  const [kind, subtype = ""] = mimeType.toLowerCase().split("/");
  if (kind === "image") return { type: "image_url", image_url: { url: fileUri } };
  const ending = subtype === "plain" ? "txt" : subtype;
  const named = /^[a-z0-9]{2,4}$/.test(ending) ? { filename: `file.${ending}` } : {};
  return { type: "file", file: { file_url: fileUri, ...named } };
}

interface ContentsState extends MessageReading {
  readonly notes: Notes;
  /** The answer that is being read, and where it began. */
  turn: { readonly reader: ModelTurn; readonly path: string } | undefined;
  openCalls: OpenCalls;
}

/**
 * The conversation in our form. Contents of the model that follow each other are one answer, as a streamed one is kept piece by
 * piece; results of functions stand before what else the user says.
 */
export function readContents({ systemInstruction, contents }: GenaiRequest, notes: Notes): ChatMessage[] {
  const progress: ContentsState = {
    messages: [],
    origins: notes.origins,
    notes,
    turn: undefined,
    openCalls: openCallsOf([]),
  };
  if (systemInstruction !== undefined) {
    const parts = readTexts(systemInstruction, { notes, path: "systemInstruction" });
    if (parts.length > 0) addMessage(progress, { role: "system", content: contentOf(parts) }, "systemInstruction");
  }
  for (const [at, content] of contents.entries()) readContent(progress, content, at);
  closeTurn(progress);
  return progress.messages;
}

function readTexts({ parts = [] }: GenaiContent, { notes, path }: FieldPath): ContentPart[] {
  return parts.flatMap((part, at) => {
    const field = { notes, path: `${path}.parts.${at}` };
    const read = readUserPart(part, field);
    if (read.some(({ type }) => type !== "text")) throw invalidRequest(field.path, "can only be text here.");
    return read;
  });
}

function readContent(progress: ContentsState, content: GenaiTurn, at: number): void {
  const { role = "user", parts = [] } = content;
  const path = `contents.${at}`;
  if (role === "model") {
    progress.turn ??= { reader: modelTurn((call) => `call_${at}_${call}`), path };
    for (const [field, part] of parts.entries()) {
      progress.turn.reader.read(part, { notes: progress.notes, path: `${path}.parts.${field}` });
    }
    return;
  }
  closeTurn(progress);
  readUser(progress, parts, path);
}

function closeTurn(progress: ContentsState): void {
  const { turn } = progress;
  if (turn === undefined) return;
  const message = turn.reader.message();
  addMessage(progress, message, turn.path);
  progress.openCalls = openCallsOf(message.tool_calls ?? []);
  progress.turn = undefined;
}

function readUser(progress: ContentsState, parts: readonly GenaiPart[], path: string): void {
  const content: ContentPart[] = [];
  let hasResults = false;
  for (const [at, part] of parts.entries()) {
    const field = { notes: progress.notes, path: `${path}.parts.${at}` };
    if (part.functionResponse === undefined) {
      content.push(...readUserPart(part, field));
    } else {
      hasResults = true;
      addMessage(progress, readResult(progress, part.functionResponse, field), field.path);
    }
  }
  if (content.length > 0 || !hasResults) addMessage(progress, { role: "user", content: contentOf(content) }, path);
}

type FunctionResponse = NonNullable<GenaiPart["functionResponse"]>;

/** Where the vendor gives no id, the result belongs to the first call of its name that has none yet. */
function readResult(
  progress: ContentsState,
  { id, name, response, parts = [] }: FunctionResponse,
  { notes, path }: FieldPath,
): ChatMessage {
  const callId = takeCall(progress.openCalls, { id, name });
  if (callId === undefined)
    throw invalidRequest(`${path}.functionResponse.name`, "answers no function call before it.");
  const files = parts.flatMap((part, at) =>
    readUserPart(part, { notes, path: `${path}.functionResponse.parts.${at}` }),
  );
  const text = outputOf(response ?? {});
  const content: ContentPart[] = text === "" ? files : [{ type: "text", text }, ...files];
  return { role: "tool", tool_call_id: callId, content: contentOf(content) };
}

/** The text of a result: its `output` where that is all, else the whole of it. */
function outputOf(response: Readonly<Record<string, unknown>>): string {
  const { output, ...rest } = response;
  return typeof output === "string" && Object.keys(rest).length === 0 ? output : JSON.stringify(response);
}
