import { duration } from "../../format/numbers.ts";
import { toMs } from "../../format/time.ts";
import { text } from "../../i18n/texts.ts";
import { Card } from "../../parts/page.tsx";
import { EmptyState } from "../../parts/states.tsx";
import { Table } from "../../parts/table.tsx";
import { StatusBadge } from "./columns.tsx";
import { type RequestDetail, targetOf } from "./detail.ts";

const rowHeight = 34;
const left = 220;
const width = 1000;

/** Each attempt on the time line of the request: when it began, its first token, its end. The table below has the same numbers. */
export function Waterfall({ request }: { readonly request: RequestDetail }) {
  const { attempts, at, latency } = request;
  if (attempts.length === 0)
    return (
      <Card>
        <EmptyState icon="route" title={text("requests.no_attempts")}>
          {request.cache ? text("requests.from_cache") : request.reason}
        </EmptyState>
      </Card>
    );
  const begun = toMs(at);
  const bars = attempts.map((attempt) => ({ ...attempt, offset: Math.max(0, toMs(attempt.at) - begun) }));
  const total = Math.max(latency, ...bars.map((bar) => bar.offset + bar.latency), 1);
  return (
    <>
      <Card title={text("requests.waterfall")}>
        <Drawing bars={bars} total={total} />
      </Card>
      <Card isFlush>
        <Table
          label={text("requests.attempts")}
          rows={bars}
          keyOf={({ provider, model, offset }) => `${provider}/${model} ${offset}`}
          columns={[
            { id: "target", name: text("label.model"), show: targetOf },
            { id: "status", name: text("label.state"), show: (row) => <StatusBadge {...row} /> },
            { id: "offset", name: text("label.start"), isNumber: true, show: ({ offset }) => `+${duration(offset)}` },
            {
              id: "first",
              name: text("label.first_token"),
              isNumber: true,
              show: ({ time_to_first_token: first }) => (first === undefined ? "–" : duration(first)),
            },
            { id: "latency", name: text("label.latency"), isNumber: true, show: (row) => duration(row.latency) },
          ]}
        />
      </Card>
    </>
  );
}

type Bar = RequestDetail["attempts"][number] & { readonly offset: number };

function Drawing({ bars, total }: { readonly bars: readonly Bar[]; readonly total: number }) {
  const x = (ms: number) => left + (ms / total) * (width - left - 70);
  const height = bars.length * rowHeight + 24;
  return (
    <svg class="chart waterfall" viewBox={`0 0 ${width} ${height}`} role="img" aria-label={text("requests.waterfall")}>
      {[0, 0.25, 0.5, 0.75, 1].map((share) => (
        <g key={share}>
          <line class="grid" x1={x(share * total)} x2={x(share * total)} y1={18} y2={height} />
          <text x={x(share * total)} y={11} text-anchor="middle">
            {duration(share * total)}
          </text>
        </g>
      ))}
      {bars.map(({ provider, model, status, offset, latency, time_to_first_token: first }, row) => {
        const y = 24 + row * rowHeight;
        return (
          <g key={`${provider}/${model} ${offset}`}>
            <text x={0} y={y + 15}>
              {targetOf({ provider, model }).slice(0, 34)}
            </text>
            <rect
              class={status < 400 ? "series-1" : "series-4"}
              x={x(offset)}
              y={y}
              width={Math.max(3, x(offset + latency) - x(offset))}
              height={20}
            />
            {first !== undefined && (
              <line class="first-token" x1={x(offset + first)} x2={x(offset + first)} y1={y - 3} y2={y + 23} />
            )}
          </g>
        );
      })}
    </svg>
  );
}
