import type { VirtualKey } from "../../api/governance.ts";
import { withBooks } from "../books/work.ts";
import { defineCommand, UsageError, type Values } from "../command.ts";
import type { Terminal } from "../terminal.ts";
import { alignColumns } from "../words.ts";
import { accessOptions, readAccess, setsAccess } from "./access.ts";
import { tellBareProviders } from "./bare.ts";
import { describeFully, describeLimits } from "./describe.ts";
import { customerOption, draftOf, draftOptions, idOf } from "./draft.ts";
import { readInstant } from "./instant.ts";

/** Options that set the deadlines of a key's calls, in place of the provider's and the engine's. */
const deadlineOptions = {
  connect: { kind: "duration", value: "time", about: "how long a connection to a provider may take, such as 5s" },
  "first-content": { kind: "duration", value: "time", about: "how long the first content of an answer may take" },
  gap: { kind: "duration", value: "time", about: "how long a stream may pause" },
  whole: { kind: "duration", value: "time", about: "how long a call may take, with all its retries" },
} as const;

/** `tollgate key create`. */
export const createKey = defineCommand({
  name: "key create",
  summary: "make a key, and show its value this once",
  usage: "<name>",
  about:
    "Makes a virtual key. Its value goes to stdout, once: only a hash and the last four characters are kept. A key may ask only\n" +
    "what --allow or --provider names. It works at once, also on a gateway that is serving.",
  words: [1, 1],
  options: {
    ...accessOptions,
    project: { kind: "text", value: "project", about: "the project that it belongs to, by id or name" },
    customer: customerOption,
    user: { kind: "text", value: "text", about: "who it belongs to" },
    starts: { kind: "text", value: "time", about: "refused before: a day, a time or a span from now such as 2d" },
    expires: { kind: "text", value: "time", about: "refused from then on" },
    ...deadlineOptions,
    ...draftOptions,
  },
  examples: [
    ["tollgate key create ci --allow '*' --budget 10/1M", "ask everything, for ten dollars a month"],
    [
      "tollgate key create app --allow 'openai/*' --budget 0.5/1d --hard --requests 60/1m",
      "50 cents a day, never more",
    ],
    ["tollgate key create trial --provider groq=2 --provider openai --expires 30d", "for a month, two thirds to groq"],
  ],
  run: ({ words: [name = ""], values }, terminal) =>
    withBooks(terminal, { ...values, isMade: true }, async (books) => {
      if (!setsAccess(values)) {
        const hint = "Say whom: --allow '*' for everything, --allow 'openai/*', --provider groq.";
        throw new UsageError("The key may ask nobody.", hint);
      }
      const { key, value } = await books.keys.create({
        ...draftOf(name, values),
        provider_configs: readAccess(values),
        user: values.user,
        starts_at: readDate("--starts", values.starts, terminal),
        expires_at: readDate("--expires", values.expires, terminal),
        timeouts: readDeadlines(values),
        project_id: await idOf(books, "project", values.project),
        customer_id: await idOf(books, "customer", values.customer),
      });
      await tellBareProviders(terminal, values.allow);
      tellKey(terminal, { key, value, isJson: values.json === true });
      return 0;
    }),
});

/** The deadlines that are given, or none. */
function readDeadlines(values: Values<typeof deadlineOptions>) {
  const { connect, "first-content": first_content, gap, whole } = values;
  const told = Object.entries({ connect, first_content, gap, whole }).filter(([, ms]) => ms !== undefined);
  return told.length === 0 ? undefined : Object.fromEntries(told);
}

function readDate(option: string, text: string | undefined, { now }: Terminal): string | undefined {
  if (text === undefined) return undefined;
  return new Date(readInstant(option, text, { now: now(), direction: "ahead" })).toISOString();
}

interface NewKey {
  readonly key: VirtualKey;
  readonly value: string;
  readonly isJson: boolean;
}

/** The value alone on stdout, for `KEY=$(tollgate key create …)`; what is said of it on stderr. */
function tellKey(terminal: Terminal, { key, value, isJson }: NewKey): void {
  if (!isJson)
    terminal.err(
      `${alignColumns([...describeFully(key, terminal.now()), ...describeLimits(key)])}The value of the key, shown this once:\n`,
    );
  terminal.out(isJson ? `${JSON.stringify({ value, key }, null, 2)}\n` : `${value}\n`);
}
