import { storeOptions, withStore } from "../../server/store/with-store.ts";
import type { Terminal } from "../../server/terminal/terminal.ts";
import { UsageError } from "../../server/terminal/usage-error.ts";
import { type Command, defineCommand, type Values } from "../program/command.ts";
import { printKey } from "./new-record.ts";
import { findRecord } from "./record-access.ts";
import { readInstant } from "./time.ts";

/** Options that set when a key is valid. */
export const dateOptions = {
  starts: { kind: "text", value: "time", about: "not valid before: a date, a time or a span from now such as 2d" },
  expires: { kind: "text", value: "time", about: "not valid from then on; none: without an end" },
} as const;

/** The dates that the options set, as records have them; `none` takes a date away. An end in the past is refused here, a start by the registry. */
export function readDates({ starts, expires }: Values<typeof dateOptions>, terminal: Terminal) {
  const starts_at = readDate("--starts", starts, terminal);
  const expires_at = readDate("--expires", expires, terminal);
  if (expires_at && Date.parse(expires_at) <= terminal.now())
    throw new UsageError("--expires is in the past.", "`tollgate key disable` rejects the calls of a key at once.");
  return { ...(starts_at === undefined ? {} : { starts_at }), ...(expires_at === undefined ? {} : { expires_at }) };
}

function readDate(option: string, text: string | undefined, { now }: Terminal): string | null | undefined {
  if (text === undefined) return undefined;
  if (text === "none") return null;
  return new Date(readInstant(option, text, { now: now(), direction: "ahead" })).toISOString();
}

/** Whether a date is set. */
export function setsDates({ starts, expires }: Values<typeof dateOptions>): boolean {
  return starts !== undefined || expires !== undefined;
}

/** `tollgate key rotate`. */
export const rotateKey: Command = defineCommand({
  name: "key rotate",
  summary: "give a key a new value and print it once",
  usage: "<key>",
  about:
    "Gives a key (id or name) a new value and prints it to stdout, once. Its id, limits, counts and history stay. Calls with the\n" +
    "value of before are accepted for the overlap, so that clients can change over one by one; --overlap 0m ends it at once.",
  words: [1, 1],
  options: {
    overlap: {
      kind: "text",
      value: "span",
      about: "how long the value of before is accepted, such as 7d; default: 1d",
    },
    json: { kind: "flag", about: "print JSON" },
    ...storeOptions,
  },
  examples: [["tollgate key rotate ci --overlap 1h", "a new value; the old one works for another hour"]],
  run: ({ words: [text = ""], values }, terminal) =>
    withStore(terminal, values, async (store) => {
      const { id } = await findRecord(store, "key", text);
      const made = await store.keys.rotate(id, readOverlap(values.overlap, terminal.now()));
      printKey(terminal, { ...made, isJson: values.json === true });
      return 0;
    }),
});

function readOverlap(text: string | undefined, now: number): { readonly overlap?: number } {
  if (text === undefined) return {};
  return { overlap: readInstant("--overlap", text, { now, direction: "ahead" }) - now };
}
