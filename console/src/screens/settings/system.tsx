import type { AnswerOf } from "../../../../src/operations/calls.ts";
import type { Areas } from "../../../../src/operations/portal/table.ts";
import { api } from "../../api/client.ts";
import { useQuery } from "../../api/query.ts";
import { regions, session } from "../../api/session.ts";
import { useStore } from "../../api/store.ts";
import { bytes, duration } from "../../format/numbers.ts";
import { text } from "../../i18n/texts.ts";
import { Button } from "../../parts/button.tsx";
import { Icon } from "../../parts/icon.tsx";
import { Meter } from "../../parts/meter.tsx";
import { Card, Page } from "../../parts/page.tsx";
import { ErrorAlert, Skeleton } from "../../parts/states.tsx";
import { Table } from "../../parts/table.tsx";
import { Badge, Count, Facts, Instant, type Mood, Tile } from "../../parts/values.tsx";

type System = AnswerOf<Areas["context"]["system"]>;

const moods: Readonly<Record<System["status"], Mood>> = { ready: "good", draining: "warn", unavailable: "bad" };

/** Whether the gateway can take calls, what it runs on, and where its own documents are. */
export function SystemStatus() {
  const query = useQuery({
    key: ["context.system"],
    read: (signal) => api.context.system({}, signal),
    everyMs: 5_000,
  });
  const { value, error, isLoading, reload } = query;
  return (
    <Page
      title={text("dashboard.system")}
      about={text("system.about")}
      actions={<Button tone="quiet" icon="refresh" label={text("action.refresh")} onPress={reload} />}
    >
      {isLoading && <Skeleton />}
      {error && <ErrorAlert error={error} onRetry={reload} />}
      {value && (
        <>
          <Tiles system={value} />
          {value.checks && <Checks checks={value.checks} />}
          <div class="columns">
            {value.process && <ProcessCard process={value.process} />}
            <PlaceCard system={value} />
          </div>
        </>
      )}
    </Page>
  );
}

function Tiles({ system: { status, version, process, in_flight } }: { readonly system: System }) {
  return (
    <div class="tiles">
      <Tile label={text("label.state")} value={<Badge mood={moods[status]}>{text(`system.status_${status}`)}</Badge>} />
      {version !== undefined && <Tile label={text("system.version")} value={version} />}
      {process && <Tile label={text("system.uptime")} value={duration(process.uptime * 1_000)} />}
      {in_flight !== undefined && <Tile label={text("system.in_flight")} value={<Count value={in_flight} />} />}
    </div>
  );
}

/** What calls depend on, and how long it took to answer. */
function Checks({ checks }: { readonly checks: NonNullable<System["checks"]> }) {
  const rows = Object.entries(checks).map(([name, check]) => ({ name, ...check }));
  return (
    <Card title={text("system.checks")} isFlush>
      <Table
        label={text("system.checks")}
        rows={rows}
        keyOf={({ name }) => name}
        columns={[
          { id: "name", name: text("label.name"), show: ({ name }) => <span class="cell-main">{name}</span> },
          {
            id: "state",
            name: text("label.state"),
            show: ({ status }) => (
              <Badge mood={status === "ok" ? "good" : "bad"}>{text(`system.check_${status}`)}</Badge>
            ),
          },
          { id: "ms", name: text("label.latency"), isNumber: true, show: ({ milliseconds }) => duration(milliseconds) },
          { id: "message", name: text("system.message"), show: ({ message }) => message ?? "–" },
        ]}
      />
    </Card>
  );
}

function ProcessCard({ process }: { readonly process: NonNullable<System["process"]> }) {
  const { pid, node, started_at, memory } = process;
  return (
    <Card title={text("system.process")}>
      <div class="stack">
        <Facts
          rows={[
            ["PID", String(pid)],
            ["Node.js", node],
            [text("system.started"), <Instant key="started" value={started_at} isExact />],
            [text("system.memory"), bytes(memory.rss)],
            [text("system.heap"), `${bytes(memory.heap_used)} / ${bytes(memory.heap_total)}`],
          ]}
        />
        <Meter used={memory.heap_used} max={memory.heap_total} label={text("system.heap")} />
      </div>
    </Card>
  );
}

/** The store, the regions, and what the gateway says of itself. */
function PlaceCard({ system: { store } }: { readonly system: System }) {
  const known = useStore(regions);
  const state = useStore(session);
  const backends = "context" in state ? state.context.region.backends : [];
  return (
    <Card title={text("system.place")}>
      <div class="stack">
        <Facts
          rows={[
            ...(store
              ? [[text("system.store"), `${store.kind}, ${text("system.schema", { version: store.version })}`] as const]
              : []),
            [text("label.region"), known.map(({ name }) => name).join(", ") || "–"],
            [text("system.backends"), backends.join(", ") || "–"],
          ]}
        />
        <ul class="row">
          {documents.slice(0, store ? documents.length : 2).map(([path, name]) => (
            <li key={path}>
              <a href={path} target="_blank" rel="noopener noreferrer">
                {name ?? text("console.api_docs")} <Icon name="external" size={13} />
              </a>
            </li>
          ))}
        </ul>
      </div>
    </Card>
  );
}

/** The gateway's own documents, from the console's base; the last is for the provider. */
const documents = [
  ["../docs", undefined],
  ["../openapi.json", "OpenAPI"],
  ["../metrics", "Prometheus"],
] as const;
