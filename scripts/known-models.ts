// Makes src/engine/api/sent/known-models.ts, the names of models that editors complete, from the catalogue.
//   node scripts/known-models.ts
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { catalogue } from "../adapters/prices/catalogue/index.ts";

const root = fileURLToPath(new URL("../", import.meta.url));
const file = "src/engine/api/sent/known-models.ts";

/** Providers whose models are completed: the vendors of models themselves; resellers' lists are long and say the same. */
const vendors = [
  "openai",
  "anthropic",
  "gemini",
  "bedrock",
  "mistral",
  "cohere",
  "deepseek",
  "xai",
  "groq",
  "cerebras",
  "moonshot",
  "zai",
  "dashscope",
  "minimax",
  "perplexity",
  "watsonx",
  "voyage",
  "local",
];

/** The type that names the models of a mode. */
const types = { chat: "ChatModel", embedding: "EmbeddingModel", rerank: "RerankModel" } as const;

/** The text of src/engine/api/sent/known-models.ts, before it is formatted. */
export function writeKnownModels(at: number): string {
  const models = catalogue().list(at);
  const unions = Object.entries(types).map(([mode, type]) => {
    const lists = vendors.flatMap((provider) => {
      const names = models.filter((facts) => facts.provider === provider && (facts.mode ?? "chat") === mode);
      const words = [...new Set(names.map(({ model }) => model))].filter((name) => /^[\w.:/-]+$/.test(name)).sort();
      return words.length === 0 ? [] : [`NamesOf<"${provider}", "${words.join(" ")}">`];
    });
    return `/** Models of the catalogue for ${mode}; every other name is a valid one, too. */\nexport type ${type} =\n  | ${lists.join("\n  | ")};\n`;
  });
  return `// Made by scripts/known-models.ts from the catalogue.

/** The names of a provider's models, which a text separates by blanks. */
type NamesOf<Provider extends string, List extends string, Found = never> = List extends \`\${infer First} \${infer Rest}\`
  ? NamesOf<Provider, Rest, Found | \`\${Provider}/\${First}\`>
  : Found | \`\${Provider}/\${List}\`;

${unions.join("\n")}`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  writeFileSync(join(root, file), writeKnownModels(Date.now()));
  execFileSync(join(root, "node_modules/.bin/biome"), ["format", "--write", file], { cwd: root });
}
