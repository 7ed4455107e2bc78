import assert from "node:assert/strict";
import type { ChatChunk, ChatResponse } from "../../../engine/api/chat.ts";
import { ChatChunk as ChunkSchema, ChatResponse as ResponseSchema } from "../../../engine/api/chat.ts";
import type { ChatMessage } from "../../../engine/api/message.ts";
import type { Usage } from "../../../engine/api/usage.ts";

/** What of an answer must be the same whole and streamed. */
export interface Essence {
  readonly choices: unknown;
  readonly usage: unknown;
}

/** An answer's messages, finish reasons and usage, without what makes no difference: nulls, empty lists, the spelling of arguments. */
export function essenceOf(response: ChatResponse): Essence {
  const choices = response.choices.map(({ index, finish_reason, message, log_probs }) => ({
    index,
    finish_reason,
    log_probs: log_probs ?? null,
    message: plainMessage(message),
  }));
  return { choices: plain(choices), usage: plain(response.usage ?? null) };
}

function plainMessage(message: ChatMessage): unknown {
  const { content, tool_calls: calls, ...rest } = message;
  const filled = Object.entries(rest).filter(
    ([, value]) => value !== null && !(Array.isArray(value) && value.length === 0),
  );
  return {
    ...Object.fromEntries(filled),
    content: content === "" || content === undefined ? null : content,
    tool_calls: (calls ?? []).map(({ index: _index, function: called, ...call }) => ({
      ...call,
      function: { ...called, arguments: parsed(called?.arguments) },
    })),
  };
}

/** Arguments as a value: two texts of one value are one call. */
function parsed(text: string | undefined): unknown {
  try {
    return JSON.parse(text ?? "");
  } catch {
    return text;
  }
}

/** As JSON has it: without undefined. */
export function plain(value: unknown): unknown {
  return value === undefined ? undefined : JSON.parse(JSON.stringify(value));
}

/** A whole answer keeps the schema and the rules of usage. */
export function checkResponse(response: ChatResponse): void {
  ResponseSchema.parse(response);
  assert.equal(response.object, "chat.completion");
  assert.equal(response.extra_fields, undefined, "extra_fields are the engine's");
  checkUsage(response.usage);
}

/** A stream's chunks keep the schema, and the rules of what comes when. */
export function checkChunks(chunks: readonly ChatChunk[]): void {
  const finished = new Set<number>();
  let usages = 0;
  for (const chunk of chunks) {
    ChunkSchema.parse(chunk);
    assert.equal(chunk.object, "chat.completion.chunk");
    assert.equal(chunk.extra_fields, undefined, "extra_fields are the engine's");
    assert.equal(usages > 0 && chunk.choices.length > 0, false, "no content after the usage");
    if (chunk.usage) usages += 1;
    for (const choice of chunk.choices) {
      assert.equal(finished.has(choice.index), false, "nothing after the finish reason");
      if (choice.finish_reason !== null) finished.add(choice.index);
      for (const call of choice.delta.tool_calls ?? []) assert.equal(typeof call.index, "number");
    }
    checkUsage(chunk.usage);
  }
  assert.ok(usages <= 1, "usage is reported once");
  assert.equal(new Set(chunks.map((chunk) => chunk.id)).size, 1, "one answer has one id");
  assert.ok(finished.size > 0, "every choice has its finish reason");
}

/** `total` = prompt + completion; no part exceeds its whole; the cost is the engine's. */
export function checkUsage(usage: Usage | undefined): void {
  if (usage === undefined) return;
  assert.equal(usage.total_tokens, usage.prompt_tokens + usage.completion_tokens);
  checkParts(usage.prompt_tokens_details, usage.prompt_tokens);
  checkParts(usage.completion_tokens_details, usage.completion_tokens);
  assert.equal(usage.cost, undefined, "the cost is the engine's");
}

function checkParts(parts: Record<string, unknown> | undefined, whole: number): void {
  for (const [name, count] of Object.entries(parts ?? {})) {
    if (name.endsWith("_tokens")) assert.ok((count as number) <= whole, `${name} exceeds its whole`);
  }
}
