import type { LimitUsage } from "../../engine/policy/limit-usage.ts";
import { type StoreFunctions, storeOptions, withStore } from "../../server/store/with-store.ts";
import { alignColumns, writeMoney } from "../../server/terminal/format.ts";
import { type Command, defineCommand, textOf } from "../program/command.ts";
import { describeFully, describeRow, headings } from "./describe.ts";
import { writeLimit } from "./limits/limits.ts";
import { distinguish, readNames } from "./names.ts";
import { idOf } from "./new-record.ts";
import { type AnyRecord, findRecord, type RecordWord, readAll, recordAccessOf } from "./record-access.ts";
import { writeInstant } from "./time.ts";

/** `tollgate <kind> list`. */
export function listCommand(word: RecordWord): Command {
  return defineCommand({
    name: `${word} list`,
    summary: `list all ${word}s`,
    usage: "",
    about: `Lists all ${word}s in order of creation.${word === "key" ? " The values of keys are not stored and cannot be listed." : ""}`,
    words: [0, 0],
    options: { ...(word === "customer" ? {} : ownerOptions(word)), json: jsonOption, ...storeOptions },
    examples: [[`tollgate ${word} list`, `list all ${word}s`]],
    run: ({ values }, terminal) =>
      withStore(terminal, values, async (store) => {
        const [project, customer, user] = ["project", "customer", "user"].map((name) => textOf(values, name));
        const where = {
          ...(project === undefined ? {} : { project_id: await idOf(store, "project", project) }),
          ...(user === undefined ? {} : { user }),
        };
        const isIncluded = await belongingTo(store, await idOf(store, "customer", customer));
        const records: AnyRecord[] = [];
        for await (const record of readAll(recordAccessOf(store, word), where))
          if (isIncluded(record)) records.push(record);
        const names = distinguish(await readNames(store, owners[word]));
        const rows = records.map((record) => describeRow(record, terminal.now(), names));
        const table = rows.length === 0 ? `No ${word}s.\n` : alignColumns([headings[word], ...rows]);
        terminal.out(values.json ? `${JSON.stringify(records, null, 2)}\n` : table);
        return 0;
      }),
  });
}

/** Returns a filter for records that belong to a customer, directly or through a project. Without a customer it accepts every record. */
async function belongingTo(
  store: StoreFunctions,
  customer: string | undefined,
): Promise<(record: AnyRecord) => boolean> {
  if (customer === undefined) return () => true;
  const projects = new Set<string>();
  for await (const { id } of readAll(recordAccessOf(store, "project"), { customer_id: customer })) projects.add(id);
  return (record) =>
    ("customer_id" in record && record.customer_id === customer) ||
    ("project_id" in record && record.project_id !== undefined && projects.has(record.project_id));
}

const jsonOption = { kind: "flag", about: "print JSON" } as const;

function ownerOptions(word: RecordWord) {
  const customer = { kind: "text", value: "customer", about: "only those of this customer" } as const;
  if (word === "project") return { customer };
  return {
    customer: { ...customer, about: "only those of this customer and its projects" },
    project: { kind: "text", value: "project", about: "only those of this project" },
    user: { kind: "text", value: "text", about: "only those of this user" },
  } as const;
}

/** `tollgate <kind> show`. */
export function showCommand(word: RecordWord): Command {
  return defineCommand({
    name: `${word} show`,
    summary: `show a ${word} and the usage of its limits`,
    usage: `<${word}>`,
    about: `Shows a ${word} (id or name) with the used and remaining part of each limit. Only settled calls count.`,
    words: [1, 1],
    options: { json: jsonOption, ...storeOptions },
    examples: [[`tollgate ${word} show ${samples[word]}`, `show a ${word} by name`]],
    run: ({ words: [text = ""], values }, terminal) =>
      withStore(terminal, values, async (store) => {
        const record = await findRecord(store, word, text);
        const limits = await readLimitUsage(store, word, record);
        if (values.json) terminal.out(`${JSON.stringify({ ...record, limits }, null, 2)}\n`);
        else terminal.out(alignColumns(describeFully(record, terminal.now(), await readNames(store, owners[word]))));
        if (!values.json) terminal.out(limits.length === 0 ? "No limits.\n" : `\n${writeLimitUsage(limits)}`);
        return 0;
      }),
  });
}

/** The kinds of owners of each kind of record. */
const owners = { key: ["project", "customer"], project: ["customer"], customer: [] } as const;

/** Names for examples. */
export const samples = { key: "ci", project: "search", customer: "acme" } as const satisfies Record<RecordWord, string>;

/** How the limits of a record stand: of a key with those above it, of a project or a customer its own. */
function readLimitUsage(store: StoreFunctions, word: RecordWord, { id }: AnyRecord): Promise<readonly LimitUsage[]> {
  return store.usage.limits(id, word);
}

function writeReset({ duration, resets_at }: LimitUsage): string {
  if (duration === "never") return "never";
  return resets_at === undefined ? "with the first use" : writeInstant(resets_at);
}

/** A table of limits: how much is used, reserved for calls under way if any are, and left, and when the window ends. */
export function writeLimitUsage(limits: readonly LimitUsage[]): string {
  const isReserved = limits.some(({ reserved }) => reserved > 0);
  const rows = limits.map((limit) => {
    const show = limit.unit === "cost" ? writeMoney : String;
    const unit = limit.unit === "cost" ? "" : ` ${limit.unit}`;
    return [
      limit.level === "entry" ? `entry ${limit.owner.slice(limit.owner.indexOf("/") + 1)}` : limit.level,
      writeLimit({ ...limit, isHard: limit.is_hard, isCalendar: limit.is_calendar, max: `${show(limit.max)}${unit}` }),
      show(limit.used),
      ...(isReserved ? [show(limit.reserved)] : []),
      show(limit.left),
      writeReset(limit),
    ];
  });
  return alignColumns([["LEVEL", "LIMIT", "USED", ...(isReserved ? ["RESERVED"] : []), "LEFT", "RESETS"], ...rows]);
}
