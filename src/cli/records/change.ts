import { storeOptions, withStore } from "../../server/store/with-store.ts";
import { plainLine } from "../../server/terminal/plain-text.ts";
import type { Terminal } from "../../server/terminal/terminal.ts";
import { UsageError } from "../../server/terminal/usage-error.ts";
import { type Command, defineCommand, textOf } from "../program/command.ts";
import { dateOptions, readDates } from "./dates.ts";
import { limitOptions, readLimits, readMaxInFlight, setsLimits } from "./limits/limits.ts";
import { samples } from "./list-show.ts";
import { printRecord } from "./new-record.ts";
import { type AnyRecord, findRecord, type RecordWord, recordAccessOf } from "./record-access.ts";

type RecordVerb = "disable" | "enable" | "delete";

const verbs = {
  disable: { summary: "reject its calls", about: "Disables", does: { active: false } },
  enable: { summary: "accept its calls again", about: "Enables", does: { active: true } },
  delete: { summary: "delete it permanently; its usage stays in the ledger", about: "Deletes", does: undefined },
} as const satisfies Record<RecordVerb, object>;

/** `tollgate <kind> disable`, `enable` and `delete`. */
export function switchCommand(word: RecordWord, verb: RecordVerb): Command {
  const { summary, about, does } = verbs[verb];
  return defineCommand({
    name: `${word} ${verb}`,
    summary,
    usage: `<${word}>`,
    about: `${about} a ${word} (id or name). A running gateway applies the change from the next call on.`,
    words: [1, 1],
    options: { ...(word === "key" && verb === "enable" ? dateOptions : {}), ...storeOptions },
    examples: [[`tollgate ${word} ${verb} ${samples[word]}`, `${verb} a ${word} by name`]],
    run: ({ words: [text = ""], values }, terminal) =>
      withStore(terminal, values, async (store) => {
        const { id, name } = await findRecord(store, word, text);
        const records = recordAccessOf(store, word);
        if (does === undefined) await records.remove(id);
        else await records.update(id, { ...does, ...datesOf(values, terminal) });
        terminal.out(`The ${word} ${plainLine(name)} (${id}) is ${verb}d.\n`);
        return 0;
      }),
  });
}

/** `tollgate <kind> limit`. */
export function limitCommand(word: RecordWord): Command {
  const entry = { kind: "text", value: "name", about: "set the limits of the key at this provider only" } as const;
  return defineCommand({
    name: `${word} limit`,
    summary: "set budgets and rate limits",
    usage: `<${word}>`,
    about:
      `Sets limits of a ${word} (id or name). A limit replaces the one with the same window; other limits stay. none removes all limits\n` +
      "of a kind, none/1d only the one with that window. A replaced budget keeps its enforcement (hard or soft) and its alignment unless\n" +
      "an option changes them. Usage in the current window still counts. A running gateway applies the change from the next call on.",
    words: [1, 1],
    options: { ...limitOptions, ...(word === "key" ? { provider: entry, ...dateOptions } : {}), ...storeOptions },
    examples: [
      [`tollgate ${word} limit ${samples[word]} --budget 20/1M`, "set the monthly budget to 20 dollars"],
      [
        `tollgate ${word} limit ${samples[word]} --requests 60/1m --requests 1000/1d --budget none`,
        "set two request windows and remove all budgets",
      ],
    ],
    run: ({ words: [text = ""], values }, terminal) =>
      withStore(terminal, values, async (store) => {
        const dates = datesOf(values, terminal);
        if (!setsLimits(values) && Object.keys(dates).length === 0)
          throw new UsageError("No limit is named.", "Use --budget, --requests, --tokens or --max-in-flight.");
        const { id } = await findRecord(store, word, text);
        const provider = textOf(values, "provider");
        const inFlight = readMaxInFlight(values);
        if (provider !== undefined && inFlight !== undefined)
          throw new UsageError("--max-in-flight bounds the whole key.", "Leave --provider out.");
        const patch = (present: AnyRecord) =>
          provider === undefined
            ? { ...readLimits(values, present), max_in_flight: inFlight, ...dates }
            : { ...patchEntry(present, provider, (limits) => readLimits(values, limits)), ...dates };
        return printRecord(terminal, await recordAccessOf(store, word).update(id, patch));
      }),
  });
}

/** The dates that the options of a key's command set; the commands of other records have none. */
function datesOf(values: Readonly<Record<string, unknown>>, terminal: Terminal): ReturnType<typeof readDates> {
  const named = (["starts", "expires"] as const).flatMap((name) => {
    const text = textOf(values, name);
    return text === undefined ? [] : [[name, text]];
  });
  return readDates(Object.fromEntries(named), terminal);
}

type LimitsChange = (limits: Parameters<typeof readLimits>[1]) => ReturnType<typeof readLimits>;

/** The key's provider entries, the limits of one of them changed. */
function patchEntry(record: AnyRecord, provider: string, change: LimitsChange): object {
  const entries = "provider_configs" in record ? record.provider_configs : [];
  if (!entries.some((each) => each.provider === provider)) {
    const names = entries.map((each) => each.provider).join(", ") || "none";
    throw new UsageError(`The key has no entry for the provider ${provider}.`, `It has: ${names}.`);
  }
  return {
    provider_configs: entries.map((each) => (each.provider === provider ? { ...each, ...change(each) } : each)),
  };
}
