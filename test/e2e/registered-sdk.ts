// Registered by `node --import` before the program: OpenTelemetry's own SDK, which writes each batch of spans into the file of SPANS.
import { appendFileSync } from "node:fs";
import { context, propagation, trace } from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import { W3CTraceContextPropagator } from "@opentelemetry/core";
import { BatchSpanProcessor, type ReadableSpan, TracerProvider } from "@opentelemetry/sdk-trace";

/** What the test reads. */
function toLine(span: ReadableSpan): string {
  const { name, attributes, parentSpanContext } = span;
  return JSON.stringify({ name, attributes, parent: parentSpanContext?.spanId, ...span.spanContext() });
}

const exporter = {
  export(spans: ReadableSpan[], done: (result: { code: number }) => void) {
    appendFileSync(process.env.SPANS ?? "", spans.map((span) => `${toLine(span)}\n`).join(""));
    done({ code: 0 });
  },
  async shutdown() {},
};

context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
propagation.setGlobalPropagator(new W3CTraceContextPropagator());
const never = 86_400_000; // nothing goes out by itself, only at the end
trace.setGlobalTracerProvider(
  new TracerProvider({ spanProcessors: [new BatchSpanProcessor({ exporter, scheduledDelayMillis: never })] }),
);
