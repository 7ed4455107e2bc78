import type { UsageFilters } from "../../ports/ledger.ts";
import { tellForgotten } from "../bill/forgotten.ts";
import { type DimensionWord, dimensions, recordWords, writeCsv, writeTable } from "../bill/report.ts";
import { type Books, booksOptions, withBooks } from "../books/work.ts";
import { defineCommand, UsageError, type Values } from "../command.ts";
import { findId } from "../records/drawer.ts";
import { readInstant } from "../records/instant.ts";
import { readNames } from "../records/names.ts";

const words = Object.keys(dimensions) as DimensionWord[];
const dayMs = 86_400_000;

const options = {
  by: { kind: "list", value: "word", choices: words, about: "what to sum by; day unless given; may be repeated" },
  from: { kind: "text", value: "time", about: "a day, a time or a span back such as 7d; 30 days back unless given" },
  to: { kind: "text", value: "time", about: "up to this time, of a day its beginning; now unless given" },
  key: { kind: "text", value: "key", about: "only this key, by id or name; one that was deleted, by id" },
  project: { kind: "text", value: "project", about: "only this project" },
  customer: { kind: "text", value: "customer", about: "only this customer" },
  model: { kind: "text", value: "model", about: "only this provider/model" },
  csv: { kind: "flag", about: "print comma-separated values" },
  json: { kind: "flag", about: "print JSON; costs in nano-dollars" },
  ...booksOptions,
} as const;

/** `tollgate usage`: what was used and what it cost. */
export const usage = defineCommand({
  name: "usage",
  summary: "show what was used and what it cost, by day, model or key",
  usage: "",
  about:
    "Sums the ledger: requests, tokens and cost. Days are of UTC. Works while a gateway serves from the same store.",
  words: [0, 0],
  options,
  examples: [
    ["tollgate usage", "the last 30 days, day by day"],
    ["tollgate usage --by key --by model --from 2026-11-01", "who used what since the beginning of November"],
    ["tollgate usage --by day --key ci --csv > ci.csv", "for a spreadsheet"],
  ],
  run: ({ values }, terminal) =>
    withBooks(terminal, values, async (books, ledger) => {
      if (values.csv && values.json) throw new UsageError("--csv and --json exclude each other.", "");
      const by = (values.by ?? ["day"]).map(readWord);
      const now = terminal.now();
      const asked = { ...readRange(values, now), group_by: by.map((word) => dimensions[word]) };
      checkModel(values.model);
      const rows = await books.usage.query({ ...asked, filters: await readFilters(books, values) });
      const lack = await tellForgotten(books.usage, { ...asked, now }, ledger?.keepSumsDays);
      if (lack !== undefined) terminal.err(`tollgate: ${lack}\n`);
      if (values.json) {
        terminal.out(`${JSON.stringify(rows, null, 2)}\n`);
        return 0;
      }
      const kinds = recordWords.filter((word) => by.includes(word));
      const names = await readNames(books, kinds);
      terminal.out((values.csv ? writeCsv : writeTable)({ by, rows, names, isPartial: lack !== undefined }));
      return 0;
    }),
});

type UsageValues = Values<typeof options>;

function readWord(text: string): DimensionWord {
  const word = words.find((each) => each === text);
  if (word !== undefined) return word;
  throw new UsageError(`--by cannot be "${text}".`, `It can be ${words.join(", ")}.`);
}

/** The ledger has models with their providers: a name without one would be none that was ever used. */
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
  throw new UsageError("--from lies in the future: nothing was used there yet.", "Sums end now, unless --to is given.");
}

async function readFilters(books: Books, { key, project, customer, model }: UsageValues): Promise<UsageFilters> {
  return {
    ...(key === undefined ? {} : { key_id: await findId(books, "key", key) }),
    ...(project === undefined ? {} : { project_id: await findId(books, "project", project) }),
    ...(customer === undefined ? {} : { customer_id: await findId(books, "customer", customer) }),
    ...(model === undefined ? {} : { model }),
  };
}
