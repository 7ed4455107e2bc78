import type { Attributes, Histogram, Meter, MetricAttributes } from "@opentelemetry/api";
import type { EventMap } from "../../../src/engine/events.ts";
import {
  createLabels,
  errorAttributes,
  failureAttributes,
  type Labels,
  operationOf,
  providerOf,
} from "./attributes.ts";
import type { Observed } from "./observed.ts";

/** Bounds of the conventions' histograms, in seconds and in tokens. */
const secondBounds = [0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92];
const tokenBounds = Array.from({ length: 14 }, (_, power) => 4 ** power);

/** What is counted where, and by which names. */
interface MetricSources {
  readonly engine: Observed;
  readonly meter: Meter;
  readonly labels: Labels;
}

/** Counts what the engine tells; the returned function stops that. Durations are in seconds, cost in US dollars. */
export function countEvents(engine: Observed, meter: Meter): () => void {
  const counted = { engine, meter, labels: createLabels() };
  const endings = [countRequests(counted), countRoutes(counted), observeState(counted)];
  return () => {
    for (const end of endings) end();
  };
}

function countRequests({ engine, meter, labels }: MetricSources): () => void {
  const duration = seconds(meter, "gen_ai.client.operation.duration", "How long requests took, with all their tries.");
  const firstChunk = seconds(
    meter,
    "gen_ai.client.operation.time_to_first_chunk",
    "How long streams took to their first content.",
  );
  const tokens = meter.createHistogram("gen_ai.client.token.usage", {
    unit: "{token}",
    description: "Tokens of the answers that providers gave; kept answers use none.",
    advice: { explicitBucketBoundaries: tokenBounds },
  });
  const cost = meter.createCounter("tollgate.cost", {
    unit: "USD",
    description: "What requests cost with all their targets and tries, failed ones included.",
  });
  return engine.on("settled", (event) => {
    const request = requestOf(event, labels);
    duration.record(event.latency / 1_000, { ...request, ...failureAttributes(event.reason, event.status) });
    if (event.time_to_first_token !== undefined && event.request_type === "chat_completion_stream")
      firstChunk.record(event.time_to_first_token / 1_000, request);
    if (event.cost !== undefined) cost.add(event.cost, request);
    if (event.usage !== undefined) recordTokens(tokens, event.usage, request);
  });
}

/** What was asked, and of whom where somebody served. */
function requestOf({ request_type, target }: EventMap["settled"], labels: Labels): Attributes {
  const operation = { "gen_ai.operation.name": operationOf(request_type) };
  return target === undefined ? operation : { ...operation, ...labels.of(target) };
}

function recordTokens(
  tokens: Histogram,
  { prompt_tokens, completion_tokens }: NonNullable<EventMap["settled"]["usage"]>,
  request: MetricAttributes,
): void {
  tokens.record(prompt_tokens, { ...request, "gen_ai.token.type": "input" });
  if (completion_tokens > 0) tokens.record(completion_tokens, { ...request, "gen_ai.token.type": "output" });
}

/** Tries, and what led from one target to another or past one. */
function countRoutes({ engine, meter, labels }: MetricSources): () => void {
  const attempts = seconds(meter, "tollgate.attempt.duration", "How long single tries of a target took.");
  const fallbacks = meter.createCounter("tollgate.fallbacks", {
    unit: "{fallback}",
    description: "Targets that were given up for the next one.",
  });
  const refusals = meter.createCounter("tollgate.refusals", {
    unit: "{refusal}",
    description: "Targets that were not asked because the key does not allow them or has too little left.",
  });
  const results = meter.createCounter("tollgate.cache.results", {
    unit: "{result}",
    description: "What the cache did for requests.",
  });
  const endings = [
    engine.on("attempted", ({ target, status, reason, milliseconds }) =>
      attempts.record(milliseconds / 1_000, {
        ...labels.ofTried(target, status),
        ...failureAttributes(reason, status),
      }),
    ),
    engine.on("fell_back", ({ from, to, reason }) =>
      fallbacks.add(1, {
        "tollgate.fallback.from": providerOf(from),
        "tollgate.fallback.to": providerOf(to),
        ...errorAttributes(reason),
      }),
    ),
    engine.on("refused", ({ target, reason }) =>
      refusals.add(1, { "gen_ai.provider.name": providerOf(target), ...errorAttributes(reason) }),
    ),
    engine.on("cache", ({ result, hit_type }) =>
      results.add(1, {
        "tollgate.cache.result": result,
        ...(hit_type === undefined ? {} : { "tollgate.cache.hit_type": hit_type }),
      }),
    ),
  ];
  return () => {
    for (const end of endings) end();
  };
}

/** What is looked up when somebody collects. */
function observeState({ engine, meter, labels }: MetricSources): () => void {
  const active = meter.createObservableGauge("tollgate.requests.active", {
    unit: "{request}",
    description: "Requests under way.",
  });
  const circuits = meter.createObservableGauge("tollgate.circuit.open", {
    description: "1 while the circuit of a target that has failed is open, 0 while it is not.",
  });
  const observeActive: Parameters<typeof active.addCallback>[0] = (gauge) => gauge.observe(engine.inFlight);
  const observeCircuits: typeof observeActive = (gauge) => {
    for (const { target, state } of engine.health()) gauge.observe(state === "open" ? 1 : 0, labels.of(target));
  };
  active.addCallback(observeActive);
  circuits.addCallback(observeCircuits);
  return () => {
    active.removeCallback(observeActive);
    circuits.removeCallback(observeCircuits);
  };
}

function seconds(meter: Meter, name: string, description: string): Histogram {
  return meter.createHistogram(name, {
    unit: "s",
    description,
    advice: { explicitBucketBoundaries: secondBounds },
  });
}
