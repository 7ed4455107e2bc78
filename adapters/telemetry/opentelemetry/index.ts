import type { IncomingHttpHeaders } from "node:http";
import { context, type MeterProvider, metrics, propagation, type TracerProvider, trace } from "@opentelemetry/api";
import { GatewayError } from "../../../src/engine/errors.ts";
import { having } from "../../../src/engine/runtime/checks.ts";
import { type Checks, checkedOptions } from "../../shared/options.ts";
import { observeDependencies } from "./dependencies.ts";
import { countEvents } from "./metrics.ts";
import type { Observed, ObservedStore } from "./observed.ts";
import { traceEvents } from "./spans.ts";

export type { Observed, ObservedStore } from "./observed.ts";

/** Where spans and metrics go. */
export interface TelemetryOptions {
  /** Takes the spans; the one that is registered with `@opentelemetry/api` unless given, `false` for none. */
  readonly tracerProvider?: Pick<TracerProvider, "getTracer"> | false | undefined;
  /** Takes the metrics, likewise. */
  readonly meterProvider?: Pick<MeterProvider, "getMeter"> | false | undefined;
  /** The engine's store, for metrics of its ledger and of its connections; none of them without it. */
  readonly store?: ObservedStore | undefined;
}

const checks: Checks<TelemetryOptions> = {
  tracerProvider: orFalse("getTracer", "a tracer provider or false"),
  meterProvider: orFalse("getMeter", "a meter provider or false"),
  store: having("ledger", "a store"),
};

/** What the spans and metrics are said to come from. */
const scope = "tollgate";

/**
 * Tells OpenTelemetry what an engine does, in the words of its conventions for generative AI (version 1.42, in development) where they have
 * one, else in `tollgate.…`: a span for each request below the caller's, one for each try below that, and the metrics of docs/telemetry.md.
 * No prompt, answer or credential is in them. Registered providers are looked up when it is called, so register them before.
 * The returned function stops it.
 */
export function observeEngine(engine: Observed, options: TelemetryOptions = {}): () => void {
  if (typeof engine?.on !== "function")
    throw new GatewayError("invalid_configuration", "`engine` of observeEngine must be an engine.", {
      param: "engine",
    });
  const { tracerProvider, meterProvider, store } = checkedOptions(options, checks, { of: "observeEngine" });
  const endings: (() => void)[] = [];
  if (tracerProvider !== false)
    endings.push(traceEvents(engine, (tracerProvider ?? trace.getTracerProvider()).getTracer(scope)));
  if (meterProvider !== false) {
    const meter = (meterProvider ?? metrics.getMeterProvider()).getMeter(scope);
    endings.push(countEvents(engine, meter), observeDependencies(engine, meter, store));
  }
  return () => {
    for (const end of endings) end();
  };
}

/**
 * A listener whose spans continue the trace that a request names (`traceparent`, or what the registered propagator reads), where nobody
 * has begun a span for it: instrumentation of `node:http` does that itself.
 */
export function continueTraces<Request extends { readonly headers: IncomingHttpHeaders }, Rest extends unknown[]>(
  listener: (request: Request, ...rest: Rest) => void,
): (request: Request, ...rest: Rest) => void {
  return (request, ...rest) => {
    const here = context.active();
    if (trace.getSpan(here) !== undefined) return listener(request, ...rest);
    return context.with(propagation.extract(here, request.headers), () => listener(request, ...rest));
  };
}

function orFalse(member: string, what: string): ReturnType<typeof having> {
  const [fits] = having(member, what);
  return [(value) => value === false || fits(value), what];
}
