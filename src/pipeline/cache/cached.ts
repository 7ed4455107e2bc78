import type { ChatChunk, ChatRequest } from "../../api/chat.ts";
import { isRefusal } from "../../policy/refusal.ts";
import type { Call } from "../call.ts";
import { closeMidway } from "../tab.ts";
import type { Flight, Hit, Landing } from "./flight.ts";
import { type Boarded, followStream, over, ride } from "./follow.ts";
import { admitHit } from "./give.ts";
import { announceCache, type Inquiry, inquire, mayRead } from "./inquiry.ts";
import { lead } from "./lead.ts";
import { findSame } from "./lookup.ts";
import { askOn, type CachedRun, cachedFor, giveOrAsk, type Run } from "./result.ts";

/** Leaders who may fail before those who wait for them give up. */
const mostLeaders = 2;

/**
 * Answers from what is kept, or together with others who ask the same, or by asking; what is asked is kept. When the caller who asked
 * fails, the first of those who waited asks in its place, once; when that fails too, they all fail with it, each on its own books. A
 * leader whom the limits of another key refuse is no failure of theirs.
 */
export function runCached<Result>(call: Call, given: Run<Result>): Promise<Result> {
  if (!call.ports.cache && !call.options.cache) return given.ask();
  const run: CachedRun<Result> = { ...given, cached: cachedFor(call.requestType) };
  const inquiry = inquire(call, { ...given, kind: run.cached.kind });
  if (!inquiry) return run.ask();
  if (!mayRead(inquiry)) return lead(inquiry, run, { flights: new Map(), key: "", same: undefined });
  const same = findSame(inquiry);
  if (same && !(same instanceof Promise)) return giveOrAsk(inquiry, run, same);
  return joinOrLead(inquiry, run, same);
}

async function joinOrLead<Result>(
  inquiry: Inquiry,
  run: CachedRun<Result>,
  same: Promise<Hit | undefined> | undefined,
): Promise<Result> {
  const { flights } = inquiry.book;
  const key = flightKey(inquiry);
  let failures = 0;
  for (;;) {
    const flight = flights.get(key)?.flight;
    if (!flight || flight.hasFailed()) return lead(inquiry, run, { flights, key, same });
    const result = await join(inquiry, run, flight);
    if (result.kind === "result") return result.value;
    if (!isOfAnotherKey(inquiry, result)) failures++;
    if (failures === mostLeaders) throw result.error;
  }
}

/** A refusal that holds for the key of who asked, and need not hold for this caller's: it is no failed leader. */
function isOfAnotherKey({ call }: Inquiry, { error, keyId }: Extract<Landing, { kind: "failed" }>): boolean {
  return keyId !== call.access?.keyId && isRefusal(error);
}

/** Waits for what another caller asks; gives its answer, or its failure. */
async function join<Result>(inquiry: Inquiry, run: CachedRun<Result>, flight: Flight) {
  const brought = await ride(inquiry.call, flight);
  if (brought.kind === "failed") return brought;
  announceCache(inquiry, () => ({ result: "joined" }));
  const value =
    brought.kind === "given" ? await giveOrAsk(inquiry, run, brought.hit) : await follow(inquiry, run, brought);
  return { kind: "result" as const, value };
}

async function follow<Result>(inquiry: Inquiry, run: CachedRun<Result>, boarded: Boarded): Promise<Result> {
  const isAdmitted = await admitHit(inquiry, { type: "direct", name: undefined, saved: 0 }, closeMidway);
  if (isAdmitted) return (await followStream(inquiry.call, boarded)) as Result & AsyncIterable<ChatChunk>; // a stream was asked
  await boarded.reader.end(over);
  return askOn(inquiry, run);
}

/** What must be equal for two callers to be given the same answer, while it is asked for. */
function flightKey({ call, place, targets, terms, request, book }: Inquiry): string {
  const { include_usage = false } = (request as Partial<ChatRequest>).stream_options ?? {};
  const names = targets.map(({ name }) => name);
  const threshold = book.semantic ? terms.threshold : 0;
  return JSON.stringify([call.requestType, place.scope, place.id, names, include_usage, threshold, terms.ttl]);
}
