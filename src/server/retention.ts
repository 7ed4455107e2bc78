import type { Logger } from "pino";
import type { Engine } from "../http/create-engine.ts";
import type { CheckedConfig } from "./config/shape.ts";

const dayMs = 86_400_000;

/** What is forgotten, of which ledger. */
export interface Retention {
  readonly engine: Pick<Engine, "usage">;
  readonly log: Pick<Logger, "info" | "error">;
  readonly rules: CheckedConfig["ledger"];
  readonly now: () => number;
}

/** Prunes the ledger to the configured retention, now and once a day. The returned function stops it. */
export function keepLedgerShort(retention: Retention): () => void {
  const { rules } = retention;
  if (rules?.keepDays === undefined && rules?.keepSumsDays === undefined) return () => {};
  const prune = () => void forgetOld(retention);
  const timer = setInterval(prune, dayMs).unref();
  prune();
  return () => clearInterval(timer);
}

/** Prunes once. A failure is logged, and the next run tries again. */
export async function forgetOld({ engine, log, rules = {}, now }: Retention): Promise<void> {
  const { keepDays, keepSumsDays } = rules;
  try {
    if (keepSumsDays !== undefined) await engine.usage.prune({ before: now() - keepSumsDays * dayMs, sums: true });
    if (keepDays === undefined) return;
    const entries = await engine.usage.prune({ before: now() - keepDays * dayMs });
    if (entries > 0) log.info({ entries }, "forgot old requests");
  } catch (err) {
    log.error({ err }, "the ledger could not be pruned");
  }
}
