import type { Attributes } from "@opentelemetry/api";
import { MeterProvider, MetricReader } from "@opentelemetry/sdk-metrics";
import { InMemorySpanExporter, SimpleSpanProcessor, TracerProvider } from "@opentelemetry/sdk-trace";

/** Hands over what was counted when it is asked. */
class Reader extends MetricReader {
  override async onForceFlush() {}
  override async onShutdown() {}
}

/** What was counted under one set of attributes: a sum or a last value, or how often and how much. */
interface Point {
  readonly attributes: Attributes;
  readonly value: number | { readonly count: number; readonly sum: number };
}

/** OpenTelemetry's own SDK, with spans and metrics kept in memory. */
export function collectTelemetry() {
  const exporter = new InMemorySpanExporter();
  const reader = new Reader();
  return {
    providers: {
      tracerProvider: new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter })] }),
      meterProvider: new MeterProvider({ readers: [reader] }),
    },
    spans: () => exporter.getFinishedSpans(),
    /** The points of a metric; none where nothing was counted. */
    async points(name: string): Promise<Point[]> {
      const { resourceMetrics } = await reader.collect();
      const metrics = resourceMetrics.scopeMetrics.flatMap((scope) => scope.metrics);
      const points = metrics.find(({ descriptor }) => descriptor.name === name)?.dataPoints ?? [];
      return points.map(({ attributes, value }) => ({ attributes, value: toValue(value) }));
    },
  };
}

function toValue(value: unknown): Point["value"] {
  if (typeof value === "number") return value;
  const { count, sum = 0 } = value as { count: number; sum?: number };
  return { count, sum };
}
