import { defineCommand } from "../../program/command.ts";

/** `tollgate import litellm`. */
export const importLitellm = defineCommand({
  name: "import litellm",
  summary: "convert the configuration of a LiteLLM proxy",
  usage: "<file>",
  about:
    "Reads a LiteLLM `config.yaml` and writes a configuration of tollgate: `model_list` becomes providers, rules and prices, fallbacks\n" +
    "and aliases become rules, and what has a counterpart in the other sections becomes a setting. What does not is listed on stderr,\n" +
    "with its line and the reason. No secret is copied: `os.environ/NAME` becomes `env:NAME`, and a key that stands in the file becomes\n" +
    "a reference to a variable that is named. Check the result with `tollgate serve --check`.",
  words: [1, 1],
  options: {
    out: { kind: "text", value: "file", short: "o", about: "write this file, which must not exist; default: stdout" },
  },
  examples: [
    ["tollgate import litellm config.yaml -o tollgate.config.yaml", "convert, then check and serve it"],
    ["tollgate import litellm config.yaml >/dev/null", "see only what cannot be converted"],
  ],
  async run({ words: [file = ""], values: { out } }, terminal) {
    const { importFile } = await import("./import-file.ts");
    return importFile({ file, out }, terminal);
  },
});
