import { useEffect, useRef, useState } from "preact/hooks";
import type { AiRequestEvent } from "../../../src/operations/portal/tenancy/ai/requests.ts";
import { type FollowState, follow } from "../api/follow.ts";
import { hrefOf } from "../app/router.ts";
import { duration } from "../format/numbers.ts";
import { text } from "../i18n/texts.ts";
import { Button } from "../parts/button.tsx";
import { Card, Page } from "../parts/page.tsx";
import { EmptyState } from "../parts/states.tsx";
import { type Column, Table } from "../parts/table.tsx";
import { Badge, Instant, Money, type Mood } from "../parts/values.tsx";
import { StatusBadge } from "./requests/columns.tsx";

/** Rows that are kept on the page; older ones are in the list of requests. */
const keptRows = 200;

interface LiveRow {
  readonly id: string;
  readonly event: AiRequestEvent;
}

/** Requests as they are settled, refusals, fallbacks and circuits, of this process, and requests of others over its store. */
export function Live() {
  const [isPaused, setPaused] = useState(false);
  const { rows, state, dropped } = useLive(isPaused);
  return (
    <Page
      title={text("console.live")}
      about={text("live.about")}
      actions={
        <>
          <StateOfStream state={state} />
          <Button icon={isPaused ? "play" : "stop"} onPress={() => setPaused(!isPaused)}>
            {text(isPaused ? "live.go_on" : "live.pause")}
          </Button>
        </>
      }
    >
      {dropped > 0 && <p class="alert alert-warn">{text("live.dropped", { count: dropped })}</p>}
      <Card isFlush>
        {rows.length === 0 ? (
          <EmptyState icon="pulse" title={text("live.waiting")}>
            {text("live.waiting_hint")}
          </EmptyState>
        ) : (
          <Table label={text("console.live")} rows={rows} keyOf={({ id }) => id} columns={liveColumns()} />
        )}
      </Card>
    </Page>
  );
}

/** Follows the stream while the screen is open; while it is paused, what comes is held back. */
function useLive(isPaused: boolean) {
  const [rows, setRows] = useState<readonly LiveRow[]>([]);
  const [state, setState] = useState<FollowState>("connecting");
  const [dropped, setDropped] = useState(0);
  const held = useRef<LiveRow[]>([]);
  const paused = useRef(isPaused);
  paused.current = isPaused;
  const show = () => {
    if (paused.current) return;
    const fresh = held.current.splice(0).reverse();
    if (fresh.length > 0) setRows((known) => [...fresh, ...known].slice(0, keptRows));
  };
  useEffect(show, [isPaused]);
  useEffect(() => {
    const leave = new AbortController();
    const onEvents = (events: readonly { id: string; data: string }[]) => {
      const read = events.map(({ id, data }) => ({ id, event: JSON.parse(data) as AiRequestEvent }));
      held.current = [...held.current, ...read].slice(-keptRows);
      setDropped((count) => read.reduce((sum, { event }) => sum + (event.dropped ?? 0), count));
      show();
    };
    const fields = { type: ["settled", "refused", "fell_back", "circuit"] };
    void follow({ path: "ai/requests/stream", fields, onEvents, onState: setState }, leave.signal);
    return () => leave.abort();
  }, []);
  return { rows, state, dropped };
}

const moods: Readonly<Record<FollowState, Mood>> = {
  connecting: "plain",
  open: "good",
  waiting: "warn",
  refused: "bad",
};

function StateOfStream({ state }: { readonly state: FollowState }) {
  return <Badge mood={moods[state]}>{text(`live.${state}`)}</Badge>;
}

/** A field of an event, as a text. */
function field({ event }: LiveRow, name: string): string | undefined {
  const value = event[name];
  return typeof value === "string" || typeof value === "number" ? String(value) : undefined;
}

function liveColumns(): readonly Column<LiveRow>[] {
  const number = (row: LiveRow, name: string) =>
    field(row, name) === undefined ? undefined : Number(field(row, name));
  return [
    { id: "at", name: text("label.time"), show: ({ event }) => <Instant value={event.at} isExact /> },
    { id: "type", name: text("label.event"), show: ({ event }) => <span class="cell-main">{event.type}</span> },
    { id: "status", name: text("label.state"), show: (row) => <Outcome row={row} /> },
    { id: "target", name: text("label.target"), show: (row) => field(row, "target") ?? field(row, "to") ?? "–" },
    {
      id: "latency",
      name: text("label.latency"),
      isNumber: true,
      show: (row) => (number(row, "latency") === undefined ? "–" : duration(number(row, "latency") ?? 0)),
    },
    { id: "cost", name: text("label.cost"), isNumber: true, show: (row) => <Money value={number(row, "cost")} /> },
    {
      id: "request",
      name: text("requests.one"),
      show: (row) => {
        const id = field(row, "event_id");
        return id === undefined ? "–" : <a href={hrefOf(`ai/requests/${id}`)}>{id}</a>;
      },
    },
  ];
}

function Outcome({ row }: { readonly row: LiveRow }) {
  const reason = field(row, "reason") ?? field(row, "state") ?? "";
  const status = field(row, "status");
  if (status !== undefined) return <StatusBadge status={Number(status)} reason={reason} />;
  return <Badge mood={reason === "closed" ? "good" : "warn"}>{reason}</Badge>;
}
