import type { Framed } from "./frames.ts";

type Fields = Record<string, unknown>;

/** What a client of the vendor has in hand after a stream: the vendor's whole answer. */
export type Gather = (events: readonly Framed[]) => Fields;

/** Gathers as the Messages API documents it; throws when a block is touched that is not open. */
export const gatherAnthropic: Gather = (events) => {
  let message: Fields = {};
  let open: number | undefined;
  const blocks: Fields[] = [];
  for (const { data } of events) {
    const { type, index, ...event } = data as Fields & { index: number };
    const block = blocks[index] ?? {};
    const delta = (event.delta ?? {}) as Fields;
    if (type === "message_start") message = { ...(event.message as Fields) };
    if (type === "content_block_start") {
      if (open !== undefined || index !== blocks.length) throw new Error("a block opens out of turn");
      open = index;
      blocks.push({ ...(event.content_block as Fields) });
    }
    if (type === "content_block_delta") {
      if (open !== index) throw new Error("a delta of a block that is not open");
      growBlock(block, delta);
    }
    if (type === "content_block_stop") {
      if (open !== index) throw new Error("a block closes that is not open");
      open = undefined;
      if (block.type === "tool_use") block.input = JSON.parse(String(block.json ?? "") || "{}");
      delete block.json;
    }
    if (type === "message_delta") message = { ...message, ...delta, usage: event.usage };
  }
  if (open !== undefined) throw new Error("a block stays open");
  return { ...message, content: blocks };
};

function growBlock(block: Fields, delta: Fields): void {
  const grown: Record<string, [field: string, piece: unknown]> = {
    text_delta: ["text", delta.text],
    thinking_delta: ["thinking", delta.thinking],
    input_json_delta: ["json", delta.partial_json],
  };
  const [field, piece] = grown[String(delta.type)] ?? [];
  if (field !== undefined) block[field] = `${block[field] ?? ""}${piece}`;
  if (delta.type === "signature_delta") block.signature = delta.signature;
  if (delta.type === "citations_delta") block.citations = [...((block.citations ?? []) as unknown[]), delta.citation];
}

/** Gathers as Cohere documents it; throws when a piece is touched that is not open. */
export const gatherCohere: Gather = (events) => {
  const content: Fields[] = [];
  const calls: { function: { arguments: string } }[] = [];
  let answer: Fields = {};
  let open: string | undefined;
  for (const { data } of events) {
    if (data === "[DONE]") break;
    const { type, index, id, delta } = data as { type: string; index: number; id?: string; delta?: Fields };
    const said = (delta?.message ?? {}) as Fields;
    const piece = `${type.startsWith("content") ? "content" : "call"} ${index}`;
    if (type.endsWith("-start") && type !== "message-start" && type !== "citation-start") {
      if (open !== undefined) throw new Error("a piece opens out of turn");
      open = piece;
    }
    if (/^(content|tool-call)-(delta|end)$/.test(type) && open !== piece) throw new Error("a piece that is not open");
    if (/^(content|tool-call)-end$/.test(type)) open = undefined;
    if (type === "message-start") answer = { id };
    if (type === "content-start") content.push({ ...(said.content as Fields) });
    if (type === "content-delta") growContent(content[index] ?? {}, said.content as Fields);
    if (type === "tool-call-start") calls.push(structuredClone(said.tool_calls) as (typeof calls)[number]);
    if (type === "tool-call-delta") {
      (calls[index] as (typeof calls)[number]).function.arguments += (
        said.tool_calls as (typeof calls)[number]
      ).function.arguments;
    }
    if (type === "message-end") answer = { ...answer, ...delta };
  }
  const message = {
    role: "assistant",
    ...(content.length === 0 ? {} : { content }),
    ...(calls.length === 0 ? {} : { tool_calls: calls }),
  };
  return { ...answer, message };
};

function growContent(part: Fields, delta: Fields): void {
  for (const field of ["text", "thinking"]) {
    if (typeof delta[field] === "string") part[field] = `${part[field] ?? ""}${delta[field]}`;
  }
  if (delta.signature !== undefined) part.signature = delta.signature;
}

/** Gathers the items as their `done` events give them, checked against their deltas. */
export const gatherResponses: Gather = (events) => {
  const items: Fields[] = [];
  const deltas = new Map<unknown, string>();
  let last: Fields = {};
  for (const [at, { event, data }] of events.entries()) {
    const told = data as Fields;
    if (told.sequence_number !== at || told.type !== event) throw new Error("an event out of sequence");
    if (event?.endsWith(".delta")) deltas.set(told.item_id, `${deltas.get(told.item_id) ?? ""}${told.delta}`);
    if (event === "response.output_item.done") items.push(told.item as Fields);
    if (event?.startsWith("response.") && told.response !== undefined) last = told.response as Fields;
  }
  for (const item of items) {
    if (textOf(item) !== (deltas.get(item.id) ?? "")) throw new Error(`the deltas of ${item.id} are not its text`);
  }
  if (JSON.stringify(items) !== JSON.stringify(last.output)) throw new Error("the last event tells other items");
  return last;
};

function textOf({ type, arguments: text, content, summary }: Fields): string {
  if (type === "function_call") return String(text);
  const parts = [...((summary ?? []) as Fields[]), ...((content ?? []) as Fields[])];
  return parts.map((part) => String(part.text ?? part.refusal ?? "")).join("");
}

/** Joins the pieces: parts one after the other, texts of one kind with what they are signed with as they came. */
export const gatherGenai: Gather = (events) => {
  const parts: Fields[] = [];
  let last: Fields = {};
  for (const { data } of events) {
    const piece = data as { candidates: { content: { parts: Fields[] } }[] } & Fields;
    last = { ...last, ...piece };
    const [candidate] = piece.candidates;
    parts.push(...(candidate?.content.parts ?? []));
    if (candidate !== undefined) last.candidate = candidate;
  }
  const { candidate, candidates: _candidates, ...rest } = last;
  const whole = { ...(candidate as Fields), content: { role: "model", parts: joinParts(parts) } };
  return { ...rest, candidates: [whole] };
};

/** Texts that follow each other as one, thoughts up to the signature that ends them; what says nothing is left out. */
export function joinParts(parts: readonly Fields[]): Fields[] {
  const joined: Fields[] = [];
  for (const part of parts) {
    const last = joined.at(-1);
    const isText = typeof part.text === "string";
    const continues =
      isText && typeof last?.text === "string" && last.thought === part.thought && !last.thoughtSignature;
    if (continues) Object.assign(last, part, { text: `${last.text}${part.text}` });
    else if (part.text !== "" || part.thoughtSignature !== undefined) joined.push({ ...part });
  }
  return joined;
}
