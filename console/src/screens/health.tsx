import { api } from "../api/client.ts";
import { useQuery } from "../api/query.ts";
import { duration } from "../format/numbers.ts";
import { text } from "../i18n/texts.ts";
import { Card, Page } from "../parts/page.tsx";
import { EmptyState } from "../parts/states.tsx";
import { ReadTable } from "../parts/table.tsx";
import { Badge, Count, Instant, type Mood } from "../parts/values.tsx";

const moods: Readonly<Record<string, Mood>> = { closed: "good", half_open: "warn", open: "bad" };

/** Each target's circuit, failures and latency in the process that answered. */
export function Health() {
  const query = useQuery({ key: ["ai.health"], read: (signal) => api.ai.health({}, signal), everyMs: 10_000 });
  const time = (ms: number | undefined) => (ms === undefined ? "–" : duration(ms));
  return (
    <Page title={text("console.health")} about={text("health.about")}>
      <Card isFlush>
        <ReadTable
          label={text("console.health")}
          query={query}
          keyOf={({ target }) => target}
          empty={<EmptyState icon="heart" title={text("health.none")} />}
          columns={[
            { id: "target", name: text("label.target"), show: ({ target }) => <span class="cell-main">{target}</span> },
            {
              id: "state",
              name: text("health.circuit"),
              show: ({ state }) => <Badge mood={moods[state] ?? "plain"}>{state}</Badge>,
            },
            { id: "until", name: text("health.until"), show: ({ open_until }) => <Instant value={open_until} /> },
            {
              id: "row",
              name: text("health.in_a_row"),
              isNumber: true,
              show: (row) => <Count value={row.failures_in_a_row} />,
            },
            {
              id: "five",
              name: text("health.last_5"),
              isNumber: true,
              show: ({ last_5_minutes: { requests, failures } }) => `${failures} / ${requests}`,
            },
            {
              id: "hour",
              name: text("health.last_hour"),
              isNumber: true,
              show: ({ last_hour: { requests, failures } }) => `${failures} / ${requests}`,
            },
            { id: "p50", name: "p50", isNumber: true, show: ({ latency_p50 }) => time(latency_p50) },
            { id: "p95", name: "p95", isNumber: true, show: ({ latency_p95 }) => time(latency_p95) },
          ]}
        />
      </Card>
    </Page>
  );
}
