import type { ChatMessage, ContentPart } from "../../../api/message.ts";
import { type Conversation, contentOf, tell } from "../shared/content.ts";
import { type Notes, type Place, refuseField } from "../shared/notes.ts";
import { readUserPart } from "./media.ts";
import type { GenaiContent, GenaiPart, GenaiRequest, GenaiTurn } from "./schema.ts";
import { type ModelTurn, modelTurn } from "./turn.ts";

/** A call that no result has come for yet. */
interface OpenCall {
  readonly id: string;
  readonly name: string | undefined;
}

interface Progress extends Conversation {
  readonly notes: Notes;
  /** The answer that is being read, and where it began. */
  turn: { readonly reader: ModelTurn; readonly path: string } | undefined;
  openCalls: OpenCall[];
}

/**
 * The conversation in our words. Contents of the model that follow each other are one answer, as a streamed one is kept piece by
 * piece; results of functions stand before what else the user says.
 */
export function readContents({ systemInstruction, contents }: GenaiRequest, notes: Notes): ChatMessage[] {
  const progress: Progress = { messages: [], origins: notes.origins, notes, turn: undefined, openCalls: [] };
  if (systemInstruction !== undefined) {
    const parts = readTexts(systemInstruction, { notes, path: "systemInstruction" });
    if (parts.length > 0) tell(progress, { role: "system", content: contentOf(parts) }, "systemInstruction");
  }
  for (const [at, content] of contents.entries()) readContent(progress, content, at);
  closeTurn(progress);
  return progress.messages;
}

function readTexts({ parts = [] }: GenaiContent, { notes, path }: Place): ContentPart[] {
  return parts.flatMap((part, at) => {
    const place = { notes, path: `${path}.parts.${at}` };
    const read = readUserPart(part, place);
    if (read.some(({ type }) => type !== "text")) throw refuseField(place.path, "can only be text here.");
    return read;
  });
}

function readContent(progress: Progress, content: GenaiTurn, at: number): void {
  const { role = "user", parts = [] } = content;
  const path = `contents.${at}`;
  if (role === "model") {
    progress.turn ??= { reader: modelTurn((call) => `call_${at}_${call}`), path };
    for (const [place, part] of parts.entries()) {
      progress.turn.reader.read(part, { notes: progress.notes, path: `${path}.parts.${place}` });
    }
    return;
  }
  closeTurn(progress);
  readUser(progress, parts, path);
}

function closeTurn(progress: Progress): void {
  const { turn } = progress;
  if (turn === undefined) return;
  const message = turn.reader.message();
  tell(progress, message, turn.path);
  progress.openCalls = (message.tool_calls ?? []).map((call) => ({ id: call.id ?? "", name: call.function?.name }));
  progress.turn = undefined;
}

function readUser(progress: Progress, parts: readonly GenaiPart[], path: string): void {
  const said: ContentPart[] = [];
  let hasResults = false;
  for (const [at, part] of parts.entries()) {
    const place = { notes: progress.notes, path: `${path}.parts.${at}` };
    if (part.functionResponse === undefined) {
      said.push(...readUserPart(part, place));
    } else {
      hasResults = true;
      tell(progress, readResult(progress, part.functionResponse, place), place.path);
    }
  }
  if (said.length > 0 || !hasResults) tell(progress, { role: "user", content: contentOf(said) }, path);
}

type FunctionResponse = NonNullable<GenaiPart["functionResponse"]>;

/** Where the vendor gives no id, the result belongs to the first call of its name that has none yet. */
function readResult(
  progress: Progress,
  { id, name, response, parts = [] }: FunctionResponse,
  { notes, path }: Place,
): ChatMessage {
  const answered = progress.openCalls.find((call) => (id === undefined ? call.name === name : call.id === id));
  const callId = id ?? answered?.id;
  if (callId === undefined) throw refuseField(`${path}.functionResponse.name`, "answers no function call before it.");
  progress.openCalls = progress.openCalls.filter((call) => call !== answered);
  const files = parts.flatMap((part, at) =>
    readUserPart(part, { notes, path: `${path}.functionResponse.parts.${at}` }),
  );
  const text = outputOf(response ?? {});
  const said: ContentPart[] = text === "" ? files : [{ type: "text", text }, ...files];
  return { role: "tool", tool_call_id: callId, content: contentOf(said) };
}

/** The text of a result: its `output` where that is all, else the whole of it. */
function outputOf(response: Readonly<Record<string, unknown>>): string {
  const { output, ...rest } = response;
  return typeof output === "string" && Object.keys(rest).length === 0 ? output : JSON.stringify(response);
}
