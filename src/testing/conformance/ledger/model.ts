import { noSums, type Sums } from "../../../engine/metering/usage/sums.ts";
import type { Dimension, DimensionValue, LedgerEntry, UsageQuestion, UsageRow } from "../../../engine/ports/ledger.ts";

/** The answer to a question of usage, by the rules: every entry looked at, nothing summed in advance. */
export function sumByRules(entries: readonly LedgerEntry[], question: UsageQuestion): readonly UsageRow[] {
  const { from, to, group_by = [], filters = {} } = question;
  const groups = new Map<string, { group: DimensionValue[]; sums: Sums }>();
  const facts = entries.filter(({ at }) => at >= from && at < to).flatMap(takeApart);
  for (const fact of facts) {
    const isWanted = Object.entries(filters).every(([dimension, wanted]) =>
      [wanted].flat().includes(fact.read(dimension as Dimension)),
    );
    if (!isWanted) continue;
    const group = group_by.map((dimension) => fact.read(dimension));
    const name = JSON.stringify(group);
    const sums = groups.get(name)?.sums;
    groups.set(name, { group, sums: sums ? addUp(sums, fact.sums) : fact.sums });
  }
  return [...groups.values()]
    .sort((one, other) => (sortName(one.group) < sortName(other.group) ? -1 : 1))
    .map(({ group, sums }) => ({
      group: Object.fromEntries(group_by.map((name, n) => [name, group[n] ?? null])),
      ...sums,
    }));
}

/** Text that sorts as groups do: nothing, then numbers, then texts. */
function sortName(group: readonly DimensionValue[]): string {
  const rank = (value: DimensionValue) =>
    value === null ? "0" : typeof value === "number" ? `1${value}` : `2${value}`;
  return group.map(rank).join("\u0000");
}

interface ModelFact {
  readonly sums: Sums;
  read(dimension: Dimension): DimensionValue;
}

/** The request for the target that was asked last, and every attempt for its own. */
function takeApart(entry: LedgerEntry): ModelFact[] {
  const { attempts } = entry;
  const request: ModelFact = {
    read: (dimension) => readValue(entry, attempts.at(-1), dimension),
    sums: {
      ...none,
      requests: 1,
      failures: entry.status >= 400 ? 1 : 0,
      cache_hits: entry.cache ? 1 : 0,
      saved: entry.saved,
      saved_prompt_tokens: entry.saved_prompt_tokens,
      saved_completion_tokens: entry.saved_completion_tokens,
      latency: entry.latency,
    },
  };
  const requested = attempts.map((attempt): ModelFact => {
    const { prompt_tokens, completion_tokens, cached_read_tokens, cached_write_tokens, reasoning_tokens, cost } =
      attempt;
    const tokens = { prompt_tokens, completion_tokens, cached_read_tokens, cached_write_tokens, reasoning_tokens };
    const marks = { unpriced: Number(attempt.is_unpriced), estimated: Number(attempt.is_estimated) };
    return {
      read: (dimension) => readValue(entry, attempt, dimension),
      sums: { ...none, attempts: 1, ...tokens, cost, ...marks },
    };
  });
  return [request, ...requested];
}

const none = noSums();

function readValue(
  entry: LedgerEntry,
  target: { readonly provider: string; readonly model: string } | undefined,
  dimension: Dimension,
): DimensionValue {
  const date = new Date(entry.at).toISOString();
  if (dimension === "hour") return date.slice(0, 13);
  if (dimension === "day") return date.slice(0, 10);
  if (dimension === "month") return date.slice(0, 7);
  if (dimension === "provider") return target?.provider ?? null;
  if (dimension === "model") return target?.model ?? askedModel(entry);
  if (dimension.startsWith("metadata."))
    return new Map(Object.entries(entry.metadata ?? {})).get(dimension.slice("metadata.".length)) ?? null;
  return entry[dimension as "key_id"] ?? null;
}

/** Of the request that nobody was asked for; a caller, or a model, that is unknown has no sum of its own. */
function askedModel({ status, model_requested: model }: LedgerEntry): string | null {
  return status === 401 || status === 404 || model === "" || model.length > 256 ? null : model;
}

function addUp(sums: Sums, more: Sums): Sums {
  return Object.fromEntries(
    Object.entries(sums).map(([name, value]) => [name, value + more[name as keyof Sums]]),
  ) as unknown as Sums;
}
