import type { BatchObservableCallback, Meter, Observable } from "@opentelemetry/api";
import type { Observed, ObservedStore } from "./observed.ts";

/** Virtual keys that get a value of their own; calls of the others count together. */
const mostKeys = 100;
const otherKeys = "other";

/**
 * Observes what an engine depends on: whether the store and the counters answer, rows that the ledger does not have yet, the connections
 * of the store's pool, and calls under way by key. The returned function stops that.
 */
export function observeDependencies(engine: Observed, meter: Meter, store?: ObservedStore): () => void {
  const endings = [observeReadiness(engine, meter), observeKeys(engine, meter)];
  const { ledger, connections } = store ?? {};
  if (ledger?.backlog) endings.push(observeLedger(ledger.backlog, meter));
  if (connections) endings.push(observeConnections(connections, meter));
  return () => {
    for (const end of endings) end();
  };
}

/** Registers one callback for several instruments. */
function observeBatch(meter: Meter, callback: BatchObservableCallback, instruments: Observable[]): () => void {
  meter.addBatchObservableCallback(callback, instruments);
  return () => meter.removeBatchObservableCallback(callback, instruments);
}

function observeReadiness(engine: Observed, meter: Meter): () => void {
  const up = meter.createObservableGauge("tollgate.dependency.up", {
    description: "1 while the store, the counters or their recovery answer, 0 while they do not.",
  });
  const duration = meter.createObservableGauge("tollgate.dependency.duration", {
    unit: "s",
    description: "How long the last answer of the store and the counters took, in whole milliseconds.",
  });
  const callback: BatchObservableCallback = async (observed) => {
    const { checks } = await engine.readiness();
    for (const [name, check] of Object.entries(checks)) {
      if (check === undefined) continue;
      const attributes = { "tollgate.dependency": name };
      observed.observe(up, check.status === "ok" ? 1 : 0, attributes);
      observed.observe(duration, check.milliseconds / 1_000, attributes);
    }
  };
  return observeBatch(meter, callback, [up, duration]);
}

function observeLedger(backlog: NonNullable<ObservedStore["ledger"]["backlog"]>, meter: Meter): () => void {
  const waiting = meter.createObservableGauge("tollgate.ledger.waiting", {
    unit: "{row}",
    description: "Rows that are not in the ledger yet.",
  });
  const onDisk = meter.createObservableGauge("tollgate.ledger.waiting_on_disk", {
    unit: "{row}",
    description: "Those of the rows that are not in the ledger yet which a file holds.",
  });
  const lost = meter.createObservableCounter("tollgate.ledger.lost", {
    unit: "{row}",
    description: "Rows that the ledger never got.",
  });
  const callback: BatchObservableCallback = (observed) => {
    const rows = backlog();
    observed.observe(waiting, rows.waiting);
    if (rows.onDisk !== undefined) observed.observe(onDisk, rows.onDisk);
    observed.observe(lost, rows.lost);
  };
  return observeBatch(meter, callback, [waiting, onDisk, lost]);
}

/** By OpenTelemetry's conventions for clients of databases. */
function observeConnections(connections: NonNullable<ObservedStore["connections"]>, meter: Meter): () => void {
  const count = meter.createObservableUpDownCounter("db.client.connection.count", {
    unit: "{connection}",
    description: "Connections to the store's database.",
  });
  const pending = meter.createObservableUpDownCounter("db.client.connection.pending_requests", {
    unit: "{request}",
    description: "Statements that wait for a connection.",
  });
  const callback: BatchObservableCallback = (observed) => {
    const { used, idle, waiting } = connections();
    observed.observe(count, used, { "db.client.connection.state": "used" });
    observed.observe(count, idle, { "db.client.connection.state": "idle" });
    observed.observe(pending, waiting);
  };
  return observeBatch(meter, callback, [count, pending]);
}

/** A reader keeps every value that it saw, so a key that was counted once is counted on, and their number is bounded. */
function observeKeys(engine: Observed, meter: Meter): () => void {
  const active = meter.createObservableGauge("tollgate.key.requests.active", {
    unit: "{request}",
    description: "Requests under way of virtual keys; those beyond the first hundred keys count as `other`.",
  });
  const known = new Set<string>();
  const callback: Parameters<typeof active.addCallback>[0] = (observed) => {
    const counts = [...engine.inFlightByKey()].sort(([, one], [, other]) => other - one);
    let others = 0;
    for (const [key, count] of counts) {
      if (known.size < mostKeys) known.add(key);
      if (!known.has(key)) others += count;
    }
    const byKey = new Map(counts);
    for (const key of known) observed.observe(byKey.get(key) ?? 0, { "tollgate.key_id": key });
    if (known.size === mostKeys) observed.observe(others, { "tollgate.key_id": otherKeys });
  };
  active.addCallback(callback);
  return () => active.removeCallback(callback);
}
