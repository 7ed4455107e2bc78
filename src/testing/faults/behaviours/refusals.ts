import { end, head, type SocketStep, write } from "../wire/step.ts";
import type { FaultKind } from "../wire/wire.ts";
import { answer, refuse, wordsOf } from "./speech.ts";
import { mainText } from "./texts.ts";
import type { Behaviour, FaultTurn } from "./turn.ts";

const well = (turn: FaultTurn): SocketStep[] => answer(turn, wordsOf(mainText));
const always = (kind: FaultKind, does: string): Behaviour => ({ does, text: "", act: (turn) => refuse(turn, kind) });
const once = (kind: FaultKind, does: string): Behaviour => ({
  does,
  text: mainText,
  act: (turn) => (turn.turn === 1 ? refuse(turn, kind) : well(turn)),
});

/** Both headers from one moment: dates have no milliseconds, and the pause is counted from `Date`. */
function byDate(now: number, seconds: number): Record<string, string> {
  const date = Math.floor(now / 1_000) * 1_000;
  return { date: new Date(date).toUTCString(), "retry-after": new Date(date + seconds * 1_000).toUTCString() };
}

const page = (status: number): SocketStep[] => [
  head(status, { "content-type": "text/html; charset=utf-8" }),
  write(`<!doctype html><html><head><title>${status}</title></head><body><h1>Please wait</h1></body></html>`),
  end,
];

/** Models that refuse with a status. */
export const refusals = {
  "rate-limited-seconds": {
    does: "answers 429 once with `Retry-After` in seconds, then well",
    text: mainText,
    act: (turn) =>
      turn.turn === 1 ? refuse(turn, "rate_limited", { "retry-after": String(turn.amount ?? 1) }) : well(turn),
  },
  "rate-limited-date": {
    does: "answers 429 once with `Retry-After` as a date, then well",
    text: mainText,
    act: (turn) => (turn.turn === 1 ? refuse(turn, "rate_limited", byDate(turn.now, turn.amount ?? 1)) : well(turn)),
  },
  "rate-limited-bare": once("rate_limited", "answers 429 once without `Retry-After`, then well"),
  "rate-limited-long": {
    does: "answers 429 every time with a `Retry-After` of an hour",
    text: "",
    act: (turn) => refuse(turn, "rate_limited", { "retry-after": "3600" }),
  },
  "rate-limited-credential": {
    does: "answers 429 with a `Retry-After` of an hour to the first credential it sees, and well to any other",
    text: mainText,
    act: (turn) => (turn.credential === 0 ? refuse(turn, "rate_limited", { "retry-after": "3600" }) : well(turn)),
  },
  "unauthorised-credential": {
    does: "answers 401 to the first credential it sees, and well to any other",
    text: mainText,
    act: (turn) => (turn.credential === 0 ? refuse(turn, "unauthorised") : well(turn)),
  },
  unauthorised: always("unauthorised", "answers 401 every time"),
  "server-error-once": once("server_error", "answers 500 once, then well"),
  "overloaded-once": once("overloaded", "says once that it is overloaded (529 or 503), then answers well"),
  unavailable: always("unavailable", "answers 503 every time"),
  flapping: {
    does: "answers 503 so many times (`@n`, 2 unless given), then well",
    text: mainText,
    act: (turn) => (turn.turn <= (turn.amount ?? 2) ? refuse(turn, "unavailable") : well(turn)),
  },
  "not-found": always("not_found", "answers 404: it has no such model"),
  "bad-request": always("bad_request", "answers 400: a fault of the caller"),
  "context-too-long": always("context_too_long", "answers 400: the conversation is too long for this model"),
  "content-refused": always("content_refused", "answers 400: its content policy forbids the request"),
  "prefill-refuses": {
    does: "answers 400 when the last message is the assistant's, and else well with a text of its own",
    text: "",
    act: (turn) =>
      turn.prefill === undefined ? answer(turn, ["Something", " else."]) : refuse(turn, "prefill_refused"),
  },
  "html-page": { does: "answers 502 with an HTML page", text: "", act: () => page(502) },
  "html-page-ok": { does: "answers 200 with an HTML page", text: "", act: () => page(200) },
  "error-in-ok": {
    does: "answers 200 with an error as its JSON body",
    text: "",
    act: ({ dialect }) => [
      head(200, { "content-type": "application/json" }),
      write(dialect.fault("server_error").body),
      end,
    ],
  },
  "redirect-elsewhere": {
    does: "redirects to another address (307)",
    text: "",
    act: ({ dialect, model }) => [
      head(307, { location: `/elsewhere${dialect.path}?model=${encodeURIComponent(model)}` }),
      end,
    ],
  },
} as const satisfies Record<string, Behaviour>;
