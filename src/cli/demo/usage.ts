import { randomUUID } from "node:crypto";
import { priceUsage } from "../../engine/metering/cost.ts";
import type { Ledger, LedgerEntry } from "../../engine/ports/ledger.ts";
import type { Records } from "../../engine/ports/records.ts";
import type { DemoTenant } from "./tenants.ts";

/** What the demo's keys ask, with the vendors' list prices in dollars per token. */
const models = [
  {
    provider: "openai",
    model: "openai/gpt-5-mini",
    rates: { input_cost_per_token: 2.5e-7, output_cost_per_token: 2e-6 },
  },
  {
    provider: "anthropic",
    model: "anthropic/claude-haiku-4-5",
    rates: { input_cost_per_token: 1e-6, output_cost_per_token: 5e-6 },
  },
] as const;

/** A key of the demo; its value is known while the demo is made. */
export interface DemoKey {
  readonly id: string;
  readonly value: string;
}

/** Creates a project with two keys of a tier. */
export async function makeKeys({ calls, client_id = "" }: DemoTenant, tier: string): Promise<readonly DemoKey[]> {
  const draft = { name: `${client_id} assistant`, description: "The shop's assistant", tier };
  const [project] = await calls.ai.createProject(draft);
  const project_id = project?.id;
  const names = ["website", "back office"];
  const keys: DemoKey[] = [];
  for (const name of names) {
    const key = { name: `${client_id} ${name}`, description: `For the ${name}`, tier, user_bound: false };
    const created = await calls.ai.createKey({ ...key, ...(project_id === undefined ? {} : { project_id }) });
    keys.push({ id: created.id, value: created.value });
  }
  return keys;
}

const day = 86_400_000;

/** Where usage is written, for which keys, and when it ends. */
export interface UsagePlan {
  readonly ledger: Ledger;
  readonly records: Records;
  readonly keys: readonly string[];
  readonly now: number;
}

/** Writes thirty days of requests, fewer at weekends, one in forty rejected. Returns their number. */
export async function writeUsage({ ledger, records, keys, now }: UsagePlan): Promise<number> {
  const entries: LedgerEntry[] = [];
  for (const [keyIndex, key_id] of keys.entries()) {
    const { project_id = "" } = (await records.get("key", key_id))?.record ?? {};
    const { customer_id } = (await records.get("project", project_id))?.record ?? {};
    const owner = { key_id, project_id, customer_id };
    for (const at of instantsOf(keyIndex, now)) entries.push({ ...entryOf(at, entries.length), ...owner });
  }
  await ledger.append(entries.toSorted((one, other) => one.at - other.at)); // as they would have come in: lists show the last first
  return entries.length;
}

/** The request times of the key at this index of the list: from 6:00, never in the future. */
function instantsOf(keyIndex: number, now: number): number[] {
  const today = Math.floor(now / day) * day;
  return Array.from({ length: 30 }, (_, back) => today - back * day)
    .flatMap((midnight) => {
      const isWeekend = [0, 6].includes(new Date(midnight).getUTCDay());
      const calls = isWeekend ? 2 : 5 + ((midnight / day + keyIndex * 3) % 6);
      return Array.from({ length: calls }, (_, turn) => midnight + (21_600 + turn * 3_100 + keyIndex * 60) * 1_000);
    })
    .filter((at) => at < now)
    .toReversed();
}

function entryOf(at: number, count: number): LedgerEntry {
  const { provider, model, rates } = models[count % 3 === 2 ? 1 : 0];
  const prompt_tokens = 400 + ((count * 137) % 1_800);
  const completion_tokens = 80 + ((count * 61) % 500);
  const bill = priceUsage(
    { usage: { prompt_tokens, completion_tokens, total_tokens: prompt_tokens + completion_tokens } },
    rates,
  );
  const isRefused = count % 40 === 39;
  const common = { at, status: isRefused ? 429 : 200, reason: isRefused ? "token_limited" : "ok" } as const;
  const latency = 600 + ((count * 97) % 1_900);
  const cached = { cached_read_tokens: 0, cached_write_tokens: 0, reasoning_tokens: 0 };
  const attempt = {
    ...{ at, provider, model, latency, prompt_tokens, completion_tokens, ...cached },
    ...{ status: 200, reason: "ok" as const, is_estimated: false, is_unpriced: bill === undefined },
    cost: Number(bill?.total ?? 0),
    items: bill?.items ?? [],
  };
  return {
    ...common,
    id: `evt_demo_${randomUUID()}`,
    request_type: "chat_completion",
    model_requested: model,
    latency,
    saved: 0,
    saved_prompt_tokens: 0,
    saved_completion_tokens: 0,
    attempts: isRefused ? [] : [attempt],
  };
}
