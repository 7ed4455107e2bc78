import { type Books, booksOptions, withBooks } from "../books/work.ts";
import { type Command, defineCommand, textOf } from "../command.ts";
import { alignColumns } from "../words.ts";
import { describeFully, describeRow, headings } from "./describe.ts";
import { idOf } from "./draft.ts";
import { type AnyRecord, drawerOf, findRecord, type RecordWord, readAll } from "./drawer.ts";
import { readNames, tellApart } from "./names.ts";
import { readStanding, writeStanding } from "./standing.ts";

/** `tollgate <kind> list`. */
export function listCommand(word: RecordWord): Command {
  return defineCommand({
    name: `${word} list`,
    summary: `list all ${word}s`,
    usage: "",
    about: `Lists all ${word}s in the order in which they were made. Values of keys are nowhere to be listed from.`,
    words: [0, 0],
    options: { ...(word === "customer" ? {} : ownerOptions(word)), json: jsonOption, ...booksOptions },
    examples: [[`tollgate ${word} list`, "all of them"]],
    run: ({ values }, terminal) =>
      withBooks(terminal, values, async (books) => {
        const [project, customer, user] = ["project", "customer", "user"].map((name) => textOf(values, name));
        const where = {
          ...(project === undefined ? {} : { project_id: await idOf(books, "project", project) }),
          ...(user === undefined ? {} : { user }),
        };
        const isWanted = await belongingTo(books, await idOf(books, "customer", customer));
        const records: AnyRecord[] = [];
        for await (const record of readAll(drawerOf(books, word), where)) if (isWanted(record)) records.push(record);
        const names = tellApart(await readNames(books, owners[word]));
        const rows = records.map((record) => describeRow(record, terminal.now(), names));
        const table = rows.length === 0 ? `No ${word}s.\n` : alignColumns([headings[word], ...rows]);
        terminal.out(values.json ? `${JSON.stringify(records, null, 2)}\n` : table);
        return 0;
      }),
  });
}

/** What belongs to a customer, itself or by its project; everything where none is named. */
async function belongingTo(books: Books, customer: string | undefined): Promise<(record: AnyRecord) => boolean> {
  if (customer === undefined) return () => true;
  const projects = new Set<string>();
  for await (const { id } of readAll(drawerOf(books, "project"), { customer_id: customer })) projects.add(id);
  return (record) =>
    ("customer_id" in record && record.customer_id === customer) ||
    ("project_id" in record && record.project_id !== undefined && projects.has(record.project_id));
}

const jsonOption = { kind: "flag", about: "print JSON" } as const;

function ownerOptions(word: RecordWord) {
  const customer = { kind: "text", value: "customer", about: "only those of this customer" } as const;
  if (word === "project") return { customer };
  return {
    customer: { ...customer, about: "only those of this customer and of its projects" },
    project: { kind: "text", value: "project", about: "only those of this project" },
    user: { kind: "text", value: "text", about: "only those of this user" },
  } as const;
}

/** `tollgate <kind> show`. */
export function showCommand(word: RecordWord): Command {
  return defineCommand({
    name: `${word} show`,
    summary: `show a ${word}, and how its limits stand`,
    usage: `<${word}>`,
    about: `Shows a ${word}, by id or name, with what is used and left of every limit, as far as the gateway has settled its calls.`,
    words: [1, 1],
    options: { json: jsonOption, ...booksOptions },
    examples: [[`tollgate ${word} show ${samples[word]}`, "by name"]],
    run: ({ words: [text = ""], values }, terminal) =>
      withBooks(terminal, values, async (books) => {
        const record = await findRecord(books, word, text);
        const standing = await readStanding(books, word, record);
        if (values.json) terminal.out(`${JSON.stringify({ ...record, standing }, null, 2)}\n`);
        else terminal.out(alignColumns(describeFully(record, terminal.now(), await readNames(books, owners[word]))));
        if (!values.json) terminal.out(standing.length === 0 ? "No limits.\n" : `\n${writeStanding(standing)}`);
        return 0;
      }),
  });
}

/** Whom records may belong to. */
const owners = { key: ["project", "customer"], project: ["customer"], customer: [] } as const;

/** Names for examples. */
export const samples = { key: "ci", project: "search", customer: "acme" } as const satisfies Record<RecordWord, string>;
