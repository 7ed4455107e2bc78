import {
  type Attributes,
  type Context,
  context,
  type Span,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from "@opentelemetry/api";
import type { EventMap } from "../../../src/engine/events.ts";
import { errorAttributes, modelOf, operationOf, providerOf } from "./attributes.ts";
import type { Observed } from "./observed.ts";

type Settled = EventMap["settled"];

/** A try that is over, with when it was; milliseconds since the epoch. */
interface Try {
  readonly event: EventMap["attempted"];
  readonly endedAt: number;
}

/** What happened between two tries, and when. */
interface SpanEvent {
  readonly name: string;
  readonly attributes: Attributes;
  readonly at: number;
}

/** A request under way: where its caller's span is, and what became of it so far. */
interface Course {
  readonly parent: Context;
  readonly tries: Try[];
  readonly turns: SpanEvent[];
}

/** A request that is over. */
interface FinishedRequest {
  readonly event: Settled;
  /** Milliseconds since the epoch. */
  readonly endedAt: number;
  /** Absent where it was refused before anybody could be asked. */
  readonly course: Course | undefined;
}

/**
 * Makes a span of every request when it is over, below that of its caller, with one of each try below it. Only then is known when it
 * began, whom it asked and what it cost; what samples by attributes sees all of them.
 */
export function traceEvents(engine: Observed, tracer: Tracer): () => void {
  const courses = new Map<string, Course>();
  const courseOf = (id: string) => {
    const course = courses.get(id) ?? { parent: context.active(), tries: [], turns: [] };
    courses.set(id, course);
    return course;
  };
  const now = () => engine.clock.now();
  const note = (id: string, name: string, attributes: Attributes) =>
    void courses.get(id)?.turns.push({ name, attributes, at: now() });
  const endings = [
    engine.on("planned", ({ event_id }) => void courseOf(event_id)),
    engine.on("attempted", (event) => void courseOf(event.event_id).tries.push({ event, endedAt: now() })), // a list has no plan
    engine.on("fell_back", ({ event_id, from, to, reason }) =>
      note(event_id, "tollgate.fallback", {
        "tollgate.fallback.from": from,
        "tollgate.fallback.to": to,
        ...errorAttributes(reason),
      }),
    ),
    engine.on("refused", ({ event_id, target, reason }) =>
      note(event_id, "tollgate.refusal", { "tollgate.target": target, ...errorAttributes(reason) }),
    ),
    engine.on("cache", ({ event_id, result, hit_type }) =>
      note(event_id, "tollgate.cache", { "tollgate.cache.result": result, "tollgate.cache.hit_type": hit_type }),
    ),
    engine.on("settled", (event) => {
      const course = courses.get(event.event_id);
      courses.delete(event.event_id);
      writeSpans(tracer, { event, endedAt: now(), course });
    }),
  ];
  return () => {
    for (const end of endings) end();
    courses.clear();
  };
}

function writeSpans(tracer: Tracer, { event, endedAt, course }: FinishedRequest): void {
  const parent = course?.parent ?? context.active();
  const startTime = endedAt - event.latency;
  const root = tracer.startSpan(
    nameOf(event),
    { kind: SpanKind.CLIENT, startTime, attributes: describe(event) },
    parent,
  );
  const below = trace.setSpan(parent, root);
  for (const each of course?.tries ?? []) writeTry(tracer, each, below);
  for (const { name, attributes, at } of course?.turns ?? []) root.addEvent(name, attributes, at);
  finish(root, event.reason, endedAt);
}

function writeTry(tracer: Tracer, { event, endedAt }: Try, parent: Context): void {
  const { target, status, reason, credential, milliseconds } = event;
  const attributes = {
    "tollgate.target": target,
    "tollgate.try": event.try,
    "tollgate.status": status,
    "tollgate.credential": credential,
    ...errorAttributes(reason),
  };
  const span = tracer.startSpan(`attempt ${target}`, { startTime: endedAt - milliseconds, attributes }, parent);
  finish(span, reason, endedAt);
}

/** A caller who hangs up is no failure. */
function finish(span: Span, reason: Settled["reason"], endedAt: number): void {
  if (reason !== "ok" && reason !== "request_cancelled")
    span.setStatus({ code: SpanStatusCode.ERROR, message: reason });
  span.end(endedAt);
}

/** With the model that served; a name that nobody served may be anything. */
function nameOf({ request_type, target = "" }: Settled): string {
  return `${operationOf(request_type)} ${modelOf(target) ?? ""}`.trimEnd();
}

/** What is `undefined` is left out by OpenTelemetry. */
function describe(event: Settled): Attributes {
  const { request_type, model_requested, target, usage, time_to_first_token } = event;
  return {
    "gen_ai.operation.name": operationOf(request_type),
    "gen_ai.request.model": target === undefined ? model_requested || undefined : modelOf(target),
    "gen_ai.provider.name": target && providerOf(target),
    "gen_ai.request.stream": request_type === "chat_completion_stream" || undefined,
    "gen_ai.response.time_to_first_chunk": time_to_first_token && time_to_first_token / 1_000,
    ...(usage === undefined ? {} : describeUsage(usage)),
    "gen_ai.usage.cost": event.cost,
    "tollgate.event_id": event.event_id,
    "tollgate.model_requested": model_requested || undefined,
    "tollgate.target": target,
    "tollgate.status": event.status,
    "tollgate.key_id": event.key_id,
    "tollgate.cache.hit_type": event.cache,
    "tollgate.warnings": event.warnings && [...event.warnings],
    ...errorAttributes(event.reason),
  };
}

function describeUsage(usage: NonNullable<Settled["usage"]>): Attributes {
  const { prompt_tokens_details: read, completion_tokens_details: written } = usage;
  return {
    "gen_ai.usage.input_tokens": usage.prompt_tokens,
    "gen_ai.usage.output_tokens": usage.completion_tokens,
    "gen_ai.usage.cache_read.input_tokens": read?.cached_read_tokens,
    "gen_ai.usage.cache_creation.input_tokens": read?.cached_write_tokens,
    "gen_ai.usage.reasoning.output_tokens": written?.reasoning_tokens,
  };
}
