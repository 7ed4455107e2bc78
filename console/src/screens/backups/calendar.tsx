import { useState } from "preact/hooks";
import type { QueryState } from "../../api/query.ts";
import { hrefOf } from "../../app/router.ts";
import { language, text } from "../../i18n/texts.ts";
import { Card } from "../../parts/page.tsx";
import { EmptyState, ErrorAlert, Skeleton } from "../../parts/states.tsx";
import { type BackupDay, type BackupEntry, daysOf } from "./chain.ts";
import { useVolumes } from "./use-volumes.ts";

const shownDays = 14;

/** Two weeks of backups by resource; a day that should have had one and has none is a gap. */
export function BackupCalendar({ query }: { readonly query: QueryState<readonly BackupEntry[]> }) {
  const [now] = useState(() => Date.now());
  const volumes = useVolumes();
  const { value, error, isLoading, reload } = query;
  if (isLoading) return <Skeleton />;
  if (error) return <ErrorAlert error={error} onRetry={reload} />;
  const resources = [...new Set((value ?? []).map(({ resource_id }) => resource_id))];
  if (resources.length === 0) return <EmptyState icon="archive" title={text("backups.none")} />;
  const day = new Intl.DateTimeFormat(language(), { day: "numeric", month: "numeric", timeZone: "UTC" });
  const heads = daysOf([], shownDays, now);
  return (
    <Card isFlush>
      <section class="table-frame" aria-label={text("backups.tab_calendar")} tabIndex={0}>
        <table class="calendar">
          <caption class="visually-hidden">{text("backups.tab_calendar")}</caption>
          <thead>
            <tr>
              <th scope="col">{text("backups.resource")}</th>
              {heads.map(({ at }) => (
                <th key={at} scope="col">
                  {day.format(at)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {resources.map((id) => (
              <tr key={id}>
                <th scope="row">{volumes.nameOf(id)}</th>
                {daysOf(
                  (value ?? []).filter(({ resource_id }) => resource_id === id),
                  shownDays,
                  now,
                ).map((one) => (
                  <td key={one.at} data-gap={one.isGap}>
                    <DayCell day={one} />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </Card>
  );
}

function DayCell({ day: { backups, isGap } }: { readonly day: BackupDay }) {
  if (isGap) return <span class="badge badge-bad">{text("backups.gap")}</span>;
  return (
    <>
      {backups.map(({ id, is_full, is_available }) => (
        <a key={id} class={is_available ? "badge badge-good" : "badge"} href={hrefOf(`backups/${id}`)}>
          {text(is_available ? (is_full ? "backups.full" : "backups.incremental") : "backups.waiting")}
        </a>
      ))}
    </>
  );
}
