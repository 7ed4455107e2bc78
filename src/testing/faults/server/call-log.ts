import { parseFaultModel } from "../behaviours/behaviours.ts";
import type { DialectName, FaultRequest } from "../wire/wire.ts";

/** One request that reached the fault server. Times in milliseconds since the fault server began to listen; they never run backwards. */
export interface FaultServerCall {
  /** When its body had been read. */
  readonly at: number;
  readonly dialect: DialectName;
  /** The whole model name. */
  readonly model: string;
  readonly behaviour: string;
  readonly tag: string;
  /** How often this model has been primary, this time included. */
  readonly turn: number;
  readonly isStream: boolean;
  /** The last four characters of the credential; empty when there was none. */
  readonly credential: string;
  readonly messages: number;
  /** The last message by the assistant that was to be continued. */
  readonly prefill?: string | undefined;
  /** When the last bytes were written. */
  readonly lastByteAt?: number | undefined;
  /** When the exchange was over, and which side ended it; absent while it lasts. */
  readonly endedAt?: number | undefined;
  readonly endedBy?: "server" | "caller" | undefined;
}

type CallLogEntry = { -readonly [Field in keyof FaultServerCall]: FaultServerCall[Field] };

/** What a request looked like to the one who writes it down. */
export interface Arrival {
  readonly ask: FaultRequest;
  readonly dialect: DialectName;
  readonly credential: string;
}

/** A logged request, and recorders of its later events. */
export interface LoggedCall {
  readonly turn: number;
  /** Position of the credential among those that this model has seen. */
  readonly credential: number;
  /** Milliseconds since the first call of this model. */
  readonly sinceFirst: number;
  wrote(): void;
  ended(by: "server" | "caller"): void;
}

/** The calls of one model so far. */
interface ModelHistory {
  readonly firstAt: number;
  readonly credentials: readonly string[];
}

/** The fault server's memory: what reached it and when. */
export interface CallLog {
  note(arrival: Arrival): LoggedCall;
  /** The calls so far, oldest first; with a tag only those that carry it. */
  read(tag?: string): readonly FaultServerCall[];
  /** Forgets calls, turns and credentials. */
  clear(): void;
}

/** A journal that takes the time from `now`. */
export function openCallLog(now: () => number): CallLog {
  const startedAt = now();
  let latest = 0;
  let calls: CallLogEntry[] = [];
  let observation = new Map<string, ModelHistory>();
  const elapsed = (): number => {
    latest = Math.max(latest, Math.round((now() - startedAt) * 10) / 10);
    return latest;
  };
  return {
    note(arrival) {
      const { model } = arrival.ask;
      const at = elapsed();
      const { firstAt, credentials: earlier } = observation.get(model) ?? { firstAt: at, credentials: [] };
      const credentials = [...earlier, arrival.credential];
      observation.set(model, { firstAt, credentials });
      const turn = credentials.length;
      const entry = entryOf(arrival, turn, at);
      calls.push(entry);
      const credential = [...new Set(credentials)].indexOf(arrival.credential);
      return { turn, credential, sinceFirst: at - firstAt, ...pensOf(entry, elapsed) };
    },
    read: (tag) => calls.filter((call) => tag === undefined || call.tag === tag),
    clear() {
      calls = [];
      observation = new Map();
    },
  };
}

function entryOf({ ask, dialect, credential }: Arrival, turn: number, at: number): CallLogEntry {
  const { model, isStream, messages, prefill } = ask;
  const { behaviour, tag } = parseFaultModel(model);
  const continued = prefill === undefined ? {} : { prefill };
  return {
    at,
    dialect,
    model,
    behaviour,
    tag,
    turn,
    isStream,
    credential: credential.slice(-4),
    messages,
    ...continued,
  };
}

function pensOf(entry: CallLogEntry, elapsed: () => number): Pick<LoggedCall, "wrote" | "ended"> {
  return {
    wrote() {
      entry.lastByteAt = elapsed();
    },
    ended(by) {
      if (entry.endedAt !== undefined) return;
      entry.endedAt = elapsed();
      entry.endedBy = by;
    },
  };
}
