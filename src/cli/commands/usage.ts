import type { UsageFilters } from "../../engine/ports/ledger.ts";
import { type StoreFunctions, storeOptions, withStore } from "../../server/store/with-store.ts";
import { UsageError } from "../../server/terminal/usage-error.ts";
import { defineCommand, type Values } from "../program/command.ts";
import { readNames } from "../records/names.ts";
import { findId } from "../records/record-access.ts";
import { queryLocally } from "../usage/local-days.ts";
import { readRange } from "../usage/range.ts";
import {
  type DimensionWord,
  dimensionOf,
  dimensions,
  isTag,
  recordWords,
  writeCsv,
  writeJson,
  writeTable,
} from "../usage/report.ts";
import { printRetentionNotice } from "../usage/retention-notice.ts";

const words = Object.keys(dimensions) as (keyof typeof dimensions)[];

const options = {
  by: {
    kind: "list",
    value: "word",
    choices: [...words, "metadata.<tag>"],
    about: "dimension to group by; default: day; repeatable",
  },
  from: { kind: "text", value: "time", about: "start: a date, a time or a span back such as 7d; default: 30 days ago" },
  to: { kind: "text", value: "time", about: "end, exclusive: a date (its start) or a time; default: now" },
  key: { kind: "text", value: "key", about: "only this key, by id or name; a deleted key by id" },
  project: { kind: "text", value: "project", about: "only this project" },
  customer: { kind: "text", value: "customer", about: "only this customer" },
  model: { kind: "text", value: "model", about: "only this provider/model" },
  timezone: {
    kind: "text",
    value: "zone",
    about: "days and months of a time zone, such as Europe/Berlin; default: UTC",
  },
  csv: { kind: "flag", about: "print comma-separated values, with costs in dollars" },
  json: { kind: "flag", about: "print JSON, with costs in dollars, and exact in nano-dollars as *_nano" },
  ...storeOptions,
} as const;

/** `tollgate usage`: what was used and what it cost. */
export const usage = defineCommand({
  name: "usage",
  summary: "report requests, tokens and cost by day, model or key",
  usage: "",
  about:
    "Reports the requests, tokens and cost in the ledger. Days are in UTC unless --timezone\n" +
    "names another zone. Works while a gateway serves from the same store.",
  words: [0, 0],
  options,
  examples: [
    ["tollgate usage", "the last 30 days by day"],
    ["tollgate usage --by key --by model --from 2026-11-01", "usage by key and model since 1 November"],
    ["tollgate usage --by metadata.team --by model", "usage by the tag team of the requests"],
    ["tollgate usage --by day --key ci --csv > ci.csv", "export one key for a spreadsheet"],
  ],
  run: ({ values }, terminal) =>
    withStore(terminal, values, async (store, ledger) => {
      if (values.csv && values.json) throw new UsageError("--csv and --json cannot be combined.", "");
      const by = (values.by ?? ["day"]).map(readWord);
      const now = terminal.now();
      const query = { ...readRange(values, now), group_by: by.map(dimensionOf) };
      checkModel(values.model);
      const question = { ...query, filters: await readFilters(store, values) };
      const { timezone } = values;
      const rows = await (timezone === undefined
        ? store.usage.query(question)
        : queryLocally(store.usage, { ...question, timezone }));
      const lack = await printRetentionNotice(store.usage, { ...query, now }, ledger?.keepSumsDays);
      if (lack !== undefined) terminal.err(`tollgate: ${lack}\n`);
      const kinds = recordWords.filter((word) => by.includes(word));
      const names = await readNames(store, kinds);
      const write = values.json ? writeJson : values.csv ? writeCsv : writeTable;
      terminal.out(write({ by, rows, names, isPartial: lack !== undefined }));
      return 0;
    }),
});

type UsageValues = Values<typeof options>;

function readWord(text: string): DimensionWord {
  const word = words.find((each) => each === text);
  if (word !== undefined) return word;
  if (isTag(text)) return text;
  throw new UsageError(`--by cannot be "${text}".`, `Valid values: ${words.join(", ")}, metadata.<tag>.`);
}

/** Throws for a model without a provider: the ledger stores `provider/model`, so such a filter would match nothing. */
function checkModel(model: string | undefined): void {
  if (model === undefined || model.includes("/")) return;
  throw new UsageError(
    `--model must be provider/model, such as openai/gpt-5, not "${model}".`,
    "--by model lists them.",
  );
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
