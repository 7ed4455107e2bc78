import type {
  Ledger,
  LedgerAttempt,
  LedgerEntry,
  LedgerRoute,
  LedgerToolContent,
} from "../../../engine/ports/ledger.ts";
import { type Draw, pick } from "../draw.ts";

/** The first day of the cases, the last but one of a month, so that what is drawn lies in two months. */
export const midnight = Date.UTC(2026, 10, 29);
export const day = 86_400_000;

/** An attempt at noon that succeeded and cost 3,000 nano-dollars. */
export function attempt(parts: Partial<LedgerAttempt> = {}): LedgerAttempt {
  return {
    at: midnight + day / 2,
    provider: "openai",
    model: "openai/gpt-5",
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

/** A request with that attempt. */
export function entry(parts: Partial<LedgerEntry> = {}): LedgerEntry {
  return {
    id: "evt_1",
    at: midnight + day / 2,
    request_type: "chat_completion",
    model_requested: "openai/gpt-5",
    status: 200,
    reason: "ok",
    latency: 125,
    saved: 0,
    saved_prompt_tokens: 0,
    saved_completion_tokens: 0,
    attempts: [attempt()],
    ...parts,
  };
}

const models = ["openai/gpt-5", "openai/gpt-5-mini", "anthropic/claude", "google/gemini"];

/** Anything that a gateway may have to write down, within a few days. */
function drawEntry(draw: Draw, number: number): LedgerEntry {
  // Some at the very instants between which questions are asked.
  const at = midnight + (draw(5) === 0 ? draw(4) * day : draw(4 * day));
  const maybe = <Value>(value: Value): Value | undefined => (draw(3) === 0 ? undefined : value);
  const isRefused = draw(8) === 0;
  return {
    id: `evt_${number}`,
    at,
    request_type: pick(draw, ["chat_completion", "embedding", "rerank"]),
    model_requested: pick(draw, models),
    key_id: maybe(`vk_${draw(4)}`),
    project_id: maybe(`prj_${draw(2)}`),
    customer_id: maybe("cus_1"),
    user: maybe(`user ${draw(3)}`),
    metadata: maybe({ team: `t${draw(2)}`, 'odd."name': "x" }),
    status: isRefused ? 402 : pick(draw, [200, 200, 429, 500]),
    reason: isRefused ? "budget_exceeded" : pick(draw, ["ok", "upstream_error"]),
    latency: draw(1_000),
    time_to_first_token: maybe(draw(100)),
    cache: draw(5) === 0 ? pick(draw, ["direct", "semantic"]) : undefined,
    saved: draw(1_000),
    saved_prompt_tokens: draw(500),
    saved_completion_tokens: draw(100),
    route: draw(4) === 0 ? drawRoute(draw) : undefined,
    tool_content: draw(6) === 0 ? drawContent(draw) : undefined,
    attempts: isRefused ? [] : Array.from({ length: draw(4) }, (_, tries) => drawAttempt(draw, at + tries)),
  };
}

function drawContent(draw: Draw): LedgerToolContent {
  const odd = '{"text":"odd \u0000 \u001a \' {}"}';
  return {
    arguments: pick(draw, ["{}", odd]),
    ...(draw(2) === 0 ? { result: pick(draw, ['{"content":[]}', odd]) } : {}),
    is_truncated: draw(4) === 0,
  };
}

function drawRoute(draw: Draw): LedgerRoute {
  const message = pick(draw, ["The virtual key does not allow this model.", 'odd " \u0000 \u001a {}']);
  return {
    ...(draw(2) === 0 ? { rule: "cheap first" } : {}),
    targets: models.slice(draw(models.length)),
    skipped: draw(2) === 0 ? [] : [{ entry: pick(draw, models), reason: "model_blocked", message }],
    ...(draw(4) === 0 ? { omitted: 1 + draw(9) } : {}),
  };
}

function drawAttempt(draw: Draw, at: number): LedgerAttempt {
  const model = pick(draw, models);
  const cost = draw(1_000_000);
  return attempt({
    at,
    model,
    provider: model.slice(0, model.indexOf("/")),
    credential: pick(draw, ["first", undefined]),
    status: pick(draw, [200, 500]),
    reason: pick(draw, ["ok", "upstream_error"]),
    time_to_first_token: pick(draw, [undefined, 40]),
    prompt_tokens: draw(5_000),
    completion_tokens: draw(500),
    cached_read_tokens: draw(10),
    cached_write_tokens: draw(10),
    reasoning_tokens: draw(10),
    cost,
    items: [{ unit: "input_tokens", quantity: 3, rate: 2_500_000, amount: cost, basis: "input_cost_per_token" }],
    price_version: pick(draw, ["2026-11-18", undefined]),
    is_estimated: draw(4) === 0,
    is_unpriced: draw(4) === 0,
  });
}

/** Appends drawn entries in batches of several sizes, some of them at the same time. */
export async function fill(ledger: Ledger, { draw, count }: { draw: Draw; count: number }): Promise<LedgerEntry[]> {
  const entries = Array.from({ length: count }, (_, number) => drawEntry(draw, number));
  for (let from = 0; from < count; ) {
    const middle = from + 1 + draw(5);
    const end = middle + draw(40);
    await Promise.all([ledger.append(entries.slice(from, middle)), ledger.append(entries.slice(middle, end))]);
    from = end;
  }
  return entries;
}
