import type { AnswerOf } from "../../../../src/operations/calls.ts";
import type { Areas } from "../../../../src/operations/portal/table.ts";
import { api } from "../../api/client.ts";
import { useQuery } from "../../api/query.ts";
import { runsOutAt } from "../../format/forecast.ts";
import { money } from "../../format/money.ts";
import { count } from "../../format/numbers.ts";
import { relativeTime } from "../../format/time.ts";
import { nameOf } from "../../generic/names.ts";
import { language, text } from "../../i18n/texts.ts";
import { Meter } from "../../parts/meter.tsx";
import { ErrorAlert, Skeleton } from "../../parts/states.tsx";
import { Badge, Instant } from "../../parts/values.tsx";

/** One limit with what is used of it. */
export type AiLimit = AnswerOf<Areas["ai"]["limits"]>[number];

/** Whose limits are shown. */
export interface LimitOwner {
  readonly key_id?: string;
  readonly project_id?: string;
  readonly customer_id?: string;
}

/** Every limit that a call passes, from the key up: a call is refused by the first that has nothing left. */
export function LimitChain({ of }: { readonly of: LimitOwner }) {
  const { value, error, isLoading, reload } = useQuery({
    key: ["ai.limits", of],
    read: (signal) => api.ai.limits(of, signal),
    everyMs: 15_000,
  });
  if (isLoading) return <Skeleton lines={3} />;
  if (error) return <ErrorAlert error={error} onRetry={reload} />;
  if (!value || value.length === 0) return <p class="soft">{text("limits.none")}</p>;
  const levels = [...new Set(value.map(({ level, owner }) => `${level} ${owner.id}`))];
  return (
    <div class="chain">
      {levels.map((level) => {
        const own = value.filter((limit) => `${limit.level} ${limit.owner.id}` === level);
        return <Level key={level} limits={own} />;
      })}
    </div>
  );
}

function Level({ limits }: { readonly limits: readonly AiLimit[] }) {
  const [first] = limits;
  if (!first) return null;
  return (
    <div class="chain-level">
      <div class="row">
        <strong>{first.owner.name ?? first.owner.id}</strong>
        <span class="faint">{nameOf(first.level)}</span>
      </div>
      {limits.map((limit) => (
        <LimitLine key={`${limit.unit} ${limit.duration}`} limit={limit} />
      ))}
    </div>
  );
}

/** A value in the limit's unit: dollars, tokens or requests. */
function inUnit(value: number, unit: string): string {
  return /dollar|cost|budget|usd/i.test(unit) ? money(value, language()) : `${count(value, language())}`;
}

/** One limit: its window, how much is used and reserved, and when it begins anew. */
function LimitLine({ limit }: { readonly limit: AiLimit }) {
  const { unit, duration, used, reserved, max, resets_at, is_hard, is_used_up } = limit;
  const label = `${nameOf(unit)} / ${duration}`;
  const ends =
    resets_at === undefined
      ? undefined
      : runsOutAt({ used, max, duration, resetsAt: Date.parse(resets_at) }, Date.now());
  return (
    <div class="limit">
      <span>
        {label} {!is_hard && <span class="faint">{text("limits.soft")}</span>}
      </span>
      <Meter used={used + reserved} max={max} label={label} />
      <span class="number">
        {inUnit(used, unit)} / {inUnit(max, unit)}
      </span>
      <span class="faint">
        {resets_at && (
          <>
            {text("limits.resets")} <Instant value={resets_at} />
          </>
        )}
      </span>
      <span class="faint number">{reserved > 0 && `${text("limits.reserved")} ${inUnit(reserved, unit)}`}</span>
      {ends !== undefined && !is_used_up && (
        <span class="limit-ends">
          <Badge mood="warn">
            {text("limits.runs_out", { when: relativeTime(new Date(ends).toISOString(), Date.now(), language()) })}
          </Badge>
        </span>
      )}
      {is_used_up ? <Badge mood="bad">{text("limits.used_up")}</Badge> : <span />}
    </div>
  );
}
