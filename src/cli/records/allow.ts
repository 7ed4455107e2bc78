import { storeOptions, withStore } from "../../server/store/with-store.ts";
import { UsageError } from "../../server/terminal/usage-error.ts";
import { defineCommand } from "../program/command.ts";
import { accessOptions, patternsOf, readAccess, readTools, setsAccess } from "./access.ts";
import { dateOptions, readDates, setsDates } from "./dates.ts";
import { printRecord } from "./new-record.ts";
import { warnBareProviders } from "./notices/bare-provider-warning.ts";
import { warnOfPatterns } from "./notices/pattern-warnings.ts";
import { findRecord } from "./record-access.ts";

/** `tollgate key allow`. */
export const allowKey = defineCommand({
  name: "key allow",
  summary: "replace the models or the tools that a key may use",
  usage: "<key>",
  about:
    "Replaces the models or the tools that a key (id or name) may use; what is not named stays. Providers that remain keep their\n" +
    "limits, weights and credentials. A provider that was covered by the entry * inherits the settings of that entry.",
  words: [1, 1],
  options: { ...accessOptions, ...dateOptions, ...storeOptions },
  examples: [["tollgate key allow ci --allow 'openai/*' --block openai/o1-pro", "allow all OpenAI models except one"]],
  run: ({ words: [text = ""], values }, terminal) =>
    withStore(terminal, values, async (store) => {
      const mcp_configs = readTools(values);
      if (!setsAccess(values) && !setsDates(values) && !mcp_configs)
        throw new UsageError("No models are named.", "Use --allow, --provider or --tool.");
      const { id } = await findRecord(store, "key", text);
      const changed = await store.keys.update(id, ({ provider_configs }) => ({
        ...(setsAccess(values) ? { provider_configs: readAccess(values, provider_configs) } : {}),
        ...(mcp_configs ? { mcp_configs } : {}),
        ...readDates(values, terminal),
      }));
      await warnBareProviders(terminal, values.allow);
      await warnOfPatterns(terminal, values.config, patternsOf(values));
      return printRecord(terminal, changed);
    }),
});
