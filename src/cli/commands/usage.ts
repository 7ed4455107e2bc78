import type { UsageFilters } from "../../ports/ledger.ts";
import { defineCommand, UsageError, type Values } from "../program/command.ts";
import { readNames } from "../records/names.ts";
import { findId } from "../records/record-access.ts";
import { readInstant } from "../records/time.ts";
import { type StoreFunctions, storeOptions, withStore } from "../store/with-store.ts";
import { type DimensionWord, dimensions, recordWords, writeCsv, writeTable } from "../usage/report.ts";
import { printRetentionNotice } from "../usage/retention-notice.ts";

const words = Object.keys(dimensions) as DimensionWord[];
const dayMs = 86_400_000;

const options = {
  by: { kind: "list", value: "word", choices: words, about: "dimension to group by; default: day; repeatable" },
  from: { kind: "text", value: "time", about: "start: a date, a time or a span back such as 7d; default: 30 days ago" },
  to: { kind: "text", value: "time", about: "end, exclusive: a date (its start) or a time; default: now" },
  key: { kind: "text", value: "key", about: "only this key, by id or name; a deleted key by id" },
  project: { kind: "text", value: "project", about: "only this project" },
  customer: { kind: "text", value: "customer", about: "only this customer" },
  model: { kind: "text", value: "model", about: "only this provider/model" },
  csv: { kind: "flag", about: "print comma-separated values" },
  json: { kind: "flag", about: "print JSON, with costs in nano-dollars" },
  ...storeOptions,
} as const;

/** `tollgate usage`: what was used and what it cost. */
export const usage = defineCommand({
  name: "usage",
  summary: "report requests, tokens and cost by day, model or key",
  usage: "",
  about:
    "Reports the requests, tokens and cost in the ledger. Days are in UTC. Works while a gateway serves from the same store.",
  words: [0, 0],
  options,
  examples: [
    ["tollgate usage", "the last 30 days by day"],
    ["tollgate usage --by key --by model --from 2026-11-01", "usage by key and model since 1 November"],
    ["tollgate usage --by day --key ci --csv > ci.csv", "export one key for a spreadsheet"],
  ],
  run: ({ values }, terminal) =>
    withStore(terminal, values, async (store, ledger) => {
      if (values.csv && values.json) throw new UsageError("--csv and --json cannot be combined.", "");
      const by = (values.by ?? ["day"]).map(readWord);
      const now = terminal.now();
      const query = { ...readRange(values, now), group_by: by.map((word) => dimensions[word]) };
      checkModel(values.model);
      const rows = await store.usage.query({ ...query, filters: await readFilters(store, values) });
      const lack = await printRetentionNotice(store.usage, { ...query, now }, ledger?.keepSumsDays);
      if (lack !== undefined) terminal.err(`tollgate: ${lack}\n`);
      if (values.json) {
        terminal.out(`${JSON.stringify(rows, null, 2)}\n`);
        return 0;
      }
      const kinds = recordWords.filter((word) => by.includes(word));
      const names = await readNames(store, kinds);
      terminal.out((values.csv ? writeCsv : writeTable)({ by, rows, names, isPartial: lack !== undefined }));
      return 0;
    }),
});

type UsageValues = Values<typeof options>;

function readWord(text: string): DimensionWord {
  const word = words.find((each) => each === text);
  if (word !== undefined) return word;
  throw new UsageError(`--by cannot be "${text}".`, `Valid values: ${words.join(", ")}.`);
}

/** Throws for a model without a provider: the ledger stores `provider/model`, so such a filter would match nothing. */
function checkModel(model: string | undefined): void {
  if (model === undefined || model.includes("/")) return;
  throw new UsageError(
    `--model must be provider/model, such as openai/gpt-5, not "${model}".`,
    "--by model lists them.",
  );
}

/** The time to sum over; without a beginning, 30 days up to the end of it. */
function readRange({ from, to }: UsageValues, now: number) {
  const read = (option: string, text: string) => readInstant(option, text, { now, direction: "back" });
  const end = to === undefined ? now + 1 : read("--to", to);
  const today = Math.floor((end - 1) / dayMs) * dayMs;
  const begin = from === undefined ? today - 29 * dayMs : read("--from", from);
  if (begin < end) return { from: begin, to: end };
  if (to !== undefined) throw new UsageError("--from must be before --to.", "");
  throw new UsageError("--from is in the future.", "Without --to, the report ends now.");
}

async function readFilters(
  store: StoreFunctions,
  { key, project, customer, model }: UsageValues,
): Promise<UsageFilters> {
  return {
    ...(key === undefined ? {} : { key_id: await findId(store, "key", key) }),
    ...(project === undefined ? {} : { project_id: await findId(store, "project", project) }),
    ...(customer === undefined ? {} : { customer_id: await findId(store, "customer", customer) }),
    ...(model === undefined ? {} : { model }),
  };
}
