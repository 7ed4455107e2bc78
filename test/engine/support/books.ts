import { expect } from "vitest";
import { memoryStore } from "../../../adapters/stores/memory/index.ts";
import type { UsageReportAttempt } from "../../../src/engine/metering/usage/report.ts";
import type { Provider } from "../../../src/engine/ports/provider.ts";
import type { EngineOptions } from "../../../src/index.ts";
import { engineOver } from "./support.ts";

/** What providers and books are made of. */
interface Setting extends Partial<EngineOptions> {
  /** Of the hard budget of the key, its project and its customer. */
  readonly dollars?: number;
}

/** An engine with a key for one request, under hard budgets on three levels, and what its books say. */
export async function keptBooks(providers: readonly Provider[], { dollars = 1, ...options }: Setting = {}) {
  const { engine, clock } = engineOver(providers, { store: memoryStore(), ...options });
  const budgets = [{ max_limit: dollars, reset_duration: "1Y" as const, enforcement: "hard" as const }];
  const customer = await engine.customers.create({ name: "c", budgets });
  const project = await engine.projects.create({ name: "p", customer_id: customer.id, budgets });
  const provider_configs = providers.map(({ name }) => ({ provider: name, allowed_models: ["*"] }));
  const rate_limits = [{ request_max_limit: 1, request_reset_duration: "1d" as const }];
  const terms = { name: "k", project_id: project.id, budgets, rate_limits, provider_configs };
  const { key, value } = await engine.keys.create(terms);
  const costs: (number | undefined)[] = [];
  engine.on("settled", ({ cost }) => costs.push(cost));
  /** The lines of the one row that a call left, once the books are found to agree on it. */
  const attempts = async (): Promise<readonly UsageReportAttempt[]> => {
    const { entries } = await engine.usage.entries({ limit: 10 });
    expect(entries).toHaveLength(1);
    const lines = entries[0]?.attempts ?? [];
    for (const { cost_nano, items } of lines)
      expect(items.reduce((sum, { amount_nano }) => sum + amount_nano, 0)).toBe(cost_nano);
    const spent = lines.reduce((sum, { cost_nano }) => sum + cost_nano, 0);
    expect(costs).toEqual([spent === 0 ? undefined : spent / 1e9]);
    for (const { unit, used, used_nano = used, reserved, max } of await engine.usage.limits(key.id)) {
      expect([used_nano, reserved]).toEqual([unit === "requests" ? 1 : spent, 0]);
      expect(used).toBeLessThanOrEqual(max);
    }
    return lines;
  };
  return { engine, clock, options: { key: value }, attempts };
}

/** Lets everything happen that waits for no timer. */
export async function settled(): Promise<void> {
  for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve));
}

/** Usage of a prompt alone. */
export const promptOf = (tokens: number) => ({ prompt_tokens: tokens, completion_tokens: 0, total_tokens: tokens });

/** A promise that only the end of the call ends. */
export const untilEnded = (signal: AbortSignal) =>
  new Promise<never>((_resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
