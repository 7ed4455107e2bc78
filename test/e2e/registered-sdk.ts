// Registered by `node --import` before the program: OpenTelemetry's own SDK, which writes each batch of spans into the file of SPANS.
import { appendFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { ReadableSpan } from "@opentelemetry/sdk-trace";

// As OpenTelemetry's own instrumentation loads them (CommonJS), so that the program has another copy of them.
const require = createRequire(import.meta.url);
const { context, propagation, trace }: typeof import("@opentelemetry/api") = require("@opentelemetry/api");
const hooks: typeof import("@opentelemetry/context-async-hooks") = require("@opentelemetry/context-async-hooks");
const core: typeof import("@opentelemetry/core") = require("@opentelemetry/core");
const sdk: typeof import("@opentelemetry/sdk-trace") = require("@opentelemetry/sdk-trace");

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

context.setGlobalContextManager(new hooks.AsyncLocalStorageContextManager().enable());
propagation.setGlobalPropagator(new core.W3CTraceContextPropagator());
const never = 86_400_000; // nothing goes out by itself, only at the end
trace.setGlobalTracerProvider(
  new sdk.TracerProvider({ spanProcessors: [new sdk.BatchSpanProcessor({ exporter, scheduledDelayMillis: never })] }),
);
