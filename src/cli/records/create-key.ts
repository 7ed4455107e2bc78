import { withStore } from "../../server/store/with-store.ts";
import { UsageError } from "../../server/terminal/usage-error.ts";
import { defineCommand, type Values } from "../program/command.ts";
import { accessOptions, patternsOf, readAccess, readTools, setsAccess } from "./access.ts";
import { dateOptions, readDates } from "./dates.ts";
import { customerOption, draftOf, draftOptions, idOf, printKey } from "./new-record.ts";
import { warnBareProviders } from "./notices/bare-provider-warning.ts";
import { warnOfPatterns } from "./notices/pattern-warnings.ts";
import { writeWarnings } from "./notices/warnings.ts";

/** Options that set the deadlines of a key's calls. They override those of the provider and the engine. */
const deadlineOptions = {
  connect: { kind: "duration", value: "time", about: "deadline for connecting to a provider, such as 5s" },
  "first-content": { kind: "duration", value: "time", about: "deadline for the first content of an answer" },
  gap: { kind: "duration", value: "time", about: "longest pause between two chunks of a stream" },
  whole: { kind: "duration", value: "time", about: "deadline for the whole call, including retries" },
} as const;

/** `tollgate key create`. */
export const createKey = defineCommand({
  name: "key create",
  summary: "create a key and print its value once",
  usage: "<name>",
  about:
    "Creates a virtual key and prints its value to stdout, once: the store keeps only a hash and the last four characters. A key may\n" +
    "use only the models that --allow or --provider names, and the tools that --tool names. A running gateway accepts it immediately.",
  words: [1, 1],
  options: {
    ...accessOptions,
    project: { kind: "text", value: "project", about: "project that owns the key, by id or name" },
    customer: customerOption,
    user: { kind: "text", value: "text", about: "user of the key" },
    ...dateOptions,
    ...deadlineOptions,
    ...draftOptions,
  },
  examples: [
    ["tollgate key create ci --allow '*' --budget 10/1M", "allow all models, 10 dollars a month"],
    [
      "tollgate key create agent --allow '*' --tool 'github/*' --block-tool 'github/delete_*'",
      "models, and tools of an MCP server",
    ],
    ["tollgate key create app --allow 'openai/*' --budget 0.5/1d --hard --requests 60/1m", "at most 50 cents a day"],
    [
      "tollgate key create trial --provider groq=2 --provider openai --expires 30d",
      "valid for 30 days; two thirds of the requests go to groq",
    ],
  ],
  run: ({ words: [name = ""], values }, terminal) =>
    withStore(terminal, { ...values, createIfMissing: true }, async (store) => {
      const mcp_configs = readTools(values);
      if (!setsAccess(values) && !mcp_configs) {
        const hint =
          "Name models: --allow '*' for all, --allow 'openai/*', --provider groq; or tools: --tool 'github/*'.";
        throw new UsageError("The key would allow no model.", hint);
      }
      const { key, value, warnings } = await store.keys.create({
        ...draftOf(name, values),
        provider_configs: readAccess(values),
        mcp_configs,
        user: values.user,
        ...readDates(values, terminal),
        timeouts: readDeadlines(values),
        project_id: await idOf(store, "project", values.project),
        customer_id: await idOf(store, "customer", values.customer),
      });
      writeWarnings(terminal, warnings);
      await warnBareProviders(terminal, values.allow);
      await warnOfPatterns(terminal, values.config, patternsOf(values));
      printKey(terminal, { key, value, isJson: values.json === true });
      return 0;
    }),
});

/** Returns the deadlines that are set, or `undefined`. */
function readDeadlines(values: Values<typeof deadlineOptions>) {
  const { connect, "first-content": first_content, gap, whole } = values;
  const deadlines = Object.entries({ connect, first_content, gap, whole }).filter(([, ms]) => ms !== undefined);
  return deadlines.length === 0 ? undefined : Object.fromEntries(deadlines);
}
