import { useState } from "preact/hooks";
import type { AnswerOf } from "../../../../src/operations/calls.ts";
import type { Areas } from "../../../../src/operations/portal/table.ts";
import { api } from "../../api/client.ts";
import { freshFor, useQuery } from "../../api/query.ts";
import { exactTime } from "../../format/time.ts";
import { language, text } from "../../i18n/texts.ts";
import { Card } from "../../parts/page.tsx";
import { EmptyState, ErrorAlert, Skeleton } from "../../parts/states.tsx";
import { Facts } from "../../parts/values.tsx";
import { cronWords, nextRuns, readCron } from "./cron.ts";

type Policy = AnswerOf<Areas["backups"]["policies"]>[number];

/** The policies: when each runs, in words, its next five runs, and how long backups are held. */
export function Policies() {
  const [now] = useState(() => Date.now());
  const { value, error, isLoading, reload } = useQuery({
    key: ["backups.policies"],
    read: (signal) => api.backups.policies({}, signal),
    staleMs: freshFor.catalogue,
  });
  if (isLoading) return <Skeleton />;
  if (error) return <ErrorAlert error={error} onRetry={reload} />;
  if (!value || value.length === 0) return <EmptyState icon="archive" title={text("backups.no_policies")} />;
  return (
    <div class="columns">
      {value.map((policy) => (
        <Card key={policy.id} title={policy.name}>
          <PolicyFacts policy={policy} now={now} />
        </Card>
      ))}
    </div>
  );
}

/** A schedule in the caller's language. */
function inWords(expression: string): string {
  const schedule = readCron(expression);
  const words = schedule ? cronWords(schedule) : ({ kind: "other" } as const);
  if (words.kind === "daily") return text("backups.daily", { time: words.time });
  if (words.kind === "other") return expression;
  const day = Date.UTC(2023, 0, 1 + words.weekday); // a Sunday, and the days after it
  const weekday = new Intl.DateTimeFormat(language(), { weekday: "long", timeZone: "UTC" }).format(day);
  return text("backups.weekly", { time: words.time, weekday });
}

/** The next five runs: those of UTC are known here, those of other clocks are asked for. */
function useNextRuns({ id, schedule, timezone }: Policy, now: number): readonly number[] {
  const isUtc = timezone === "UTC";
  const { value } = useQuery({
    key: ["backups.previewPolicy", id, schedule, timezone],
    read: (signal) =>
      isUtc
        ? Promise.resolve({ timezone, runs: [] })
        : api.backups.previewPolicy({ schedule, timezone, starting_hour: 0, count: 5 }, signal),
    staleMs: freshFor.catalogue,
  });
  if (!isUtc) return (value?.runs ?? []).map(({ at }) => Date.parse(at));
  const read = readCron(schedule);
  return read ? nextRuns(read, now, 5) : [];
}

function PolicyFacts({ policy, now }: { readonly policy: Policy; readonly now: number }) {
  const runs = useNextRuns(policy, now);
  const days = (count: number) => text("backups.for_days", { count });
  return (
    <Facts
      rows={[
        [text("backups.schedule"), inWords(policy.schedule)],
        ["cron", <code key="cron">{`${policy.schedule} (${policy.timezone})`}</code>],
        [
          text("backups.next_runs"),
          <ol key="runs">
            {runs.map((run) => (
              <li key={run}>{`${exactTime(run, language(), policy.timezone)} ${policy.timezone}`}</li>
            ))}
          </ol>,
        ],
        [text("backups.window"), text("backups.hours", { count: policy.backup_window })],
        [text("backups.increments"), String(policy.increment_policy)],
        [text("backups.held_first"), days(policy.retention_primary)],
        [text("backups.held_second"), days(policy.retention_secondary)],
        [text("backups.retries"), String(policy.retry)],
      ]}
    />
  );
}
