import type { LedgerAttempt, LedgerEntry } from "../../../src/engine/ports/ledger.ts";

const at = Date.parse("2026-11-20T10:00:00.000Z");

/** An attempt that succeeded and cost three millionths of a dollar. */
export function anAttempt(parts: Partial<LedgerAttempt> = {}): LedgerAttempt {
  return {
    at,
    provider: "openai",
    model: `${parts.provider ?? "openai"}/gpt-5`,
    status: 200,
    reason: "ok",
    latency: 120,
    prompt_tokens: 10,
    completion_tokens: 5,
    cached_read_tokens: 0,
    cached_write_tokens: 0,
    reasoning_tokens: 0,
    cost: 3_000,
    items: [],
    is_estimated: false,
    is_unpriced: false,
    ...parts,
  };
}

let count = 0;

/** A request of key `vk_1` with that attempt. */
export function anEntryOf(parts: Partial<LedgerEntry> = {}): LedgerEntry {
  return {
    id: `evt_${count++}`,
    at,
    request_type: "chat_completion",
    model_requested: "openai/gpt-5",
    key_id: "vk_1",
    status: 200,
    reason: "ok",
    latency: 125,
    saved: 0,
    saved_prompt_tokens: 0,
    saved_completion_tokens: 0,
    attempts: [anAttempt()],
    ...parts,
  };
}
