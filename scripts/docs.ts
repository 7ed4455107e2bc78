// Writes the pages of docs/ and the parts of the README that are made from the code: node scripts/docs.ts
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { type CompatibleRow, compatibleProviders } from "../adapters/providers/compatible/index.ts";
import { errorTable } from "../src/engine/errors.ts";
import { describeAllOperations } from "./describe-operations.ts";
import { describeVendors } from "./describe-vendors.ts";

const vendors = await describeVendors();

/** The pages made from the code, wholly or in part: path below the root → the page as it should be. A test holds the files to them. */
export const pages: Record<string, (present: string) => string> = {
  "docs/errors.md": describeErrors,
  "docs/operations.md": describeAllOperations,
  "docs/recipes.md": showRecipes,
  "docs/dialects.md": (present) => replacePart(present, "vendors", vendors),
  "README.md": (present) => replacePart(present, "providers", describeProviders()),
};

function describeErrors(): string {
  const conduct = {
    same: "the same target again, then the next",
    next: "the next target",
    never: "nobody: the caller must act",
  } as const;
  const rows = Object.entries(errorTable).map(
    ([code, { status, retry, meaning }]) => `| \`${code}\` | ${status} | ${meaning} | ${conduct[retry]} |`,
  );
  return `# Errors

Every failure, by function or by HTTP, before and inside a stream, is one of these. The \`type\` of the error body and the
\`code\` of a \`GatewayError\` are the first column. \`upstream_error\` carries the provider's own status, and its type, code,
param and message verbatim; what its statuses lead to stands in [routing.md](routing.md).

| Code | Status | Meaning | Who is asked next |
|---|---|---|---|
${rows.join("\n")}

This page is made by \`node scripts/docs.ts\` from \`src/engine/errors.ts\`.
`;
}

const native = [
  ["openai", "OpenAI", "`OPENAI_API_KEY`", "chat, streams, embeddings, models", "providers/openai"],
  ["anthropic", "Anthropic", "`ANTHROPIC_API_KEY`", "chat, streams, models", "providers/anthropic"],
  ["gemini", "Google Gemini", "`GEMINI_API_KEY`", "chat, streams, embeddings, models", "providers/gemini"],
  ["cohere", "Cohere", "`COHERE_API_KEY`", "chat, streams, embeddings, reranking, models", "providers/cohere"],
  [
    "bedrock",
    "Amazon Bedrock",
    "`AWS_BEARER_TOKEN_BEDROCK`, or AWS keys",
    "chat, streams, embeddings, reranking, models",
    "providers/bedrock",
  ],
  ["vertex", "Google Vertex AI, Claude included", "an access token", "chat, streams, embeddings", "providers/vertex"],
  [
    "watsonx",
    "IBM watsonx.ai",
    "`WATSONX_API_KEY` and `WATSONX_PROJECT_ID`",
    "chat, streams, embeddings, models",
    "providers/watsonx",
  ],
  [
    "systemone",
    "System One and OpenAI's Decisions: any `baseUrl`",
    "of the vendor",
    "decisions, models",
    "providers/systemone",
  ],
  [
    "llama-cpp",
    "this process, by `node-llama-cpp`",
    "none",
    "chat, streams, embeddings, models",
    "providers/llama-cpp",
  ],
  [
    "local",
    "this process, no network",
    "none",
    "chat, streams and decisions as an echo, embeddings (optional packages), reranking, models",
    "providers/local",
  ],
];

function describeProviders(): string {
  const compatible = Object.entries(compatibleProviders).map(([name, row]) => [
    name,
    row.title,
    row.env ? `\`${row.env}\`${row.needsKey ? "" : " (optional)"}` : "none",
    verbsOf(row),
    "providers/compatible",
  ]);
  const rows = [...native, ...compatible].map(
    ([name, title, key, verbs, from]) => `| \`${name}\` | ${title} | ${key} | ${verbs} | \`tollgate/${from}\` |`,
  );
  return ["| Name | Vendor | Key | Verbs | From |", "|---|---|---|---|---|", ...rows].join("\n");
}

function verbsOf({ chats, embeds, dialect }: CompatibleRow): string {
  const verbs = { "chat, streams": chats !== false, embeddings: embeds, reranking: dialect.rerank !== undefined };
  const offered = Object.entries(verbs).flatMap(([verb, isOffered]) => (isOffered ? [verb] : []));
  return [...offered, "models"].join(", ");
}

/** The page with the code of each recipe: `examples/recipes/<name>.ts` between the marks `recipe <name>`. */
function showRecipes(page: string): string {
  return page.replace(/<!-- recipe ([\w-]+) -->\n[\s\S]*?<!-- \/recipe -->/g, (_whole, name) => {
    const code = readFileSync(new URL(`../examples/recipes/${name}.ts`, import.meta.url), "utf8");
    return `<!-- recipe ${name} -->\n\`\`\`ts\n${code}\`\`\`\n<!-- /recipe -->`;
  });
}

/** The page with what stands between `<!-- name … -->` and `<!-- /name -->` replaced. */
function replacePart(page: string, name: string, part: string): string {
  const marks = new RegExp(`(<!-- ${name}[^>]*-->\n)[\\s\\S]*?(<!-- /${name} -->)`);
  return page.replace(marks, (_whole, begin: string, end: string) => `${begin}${part}\n${end}`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const root = fileURLToPath(new URL("..", import.meta.url));
  for (const [path, write] of Object.entries(pages)) {
    writeFileSync(root + path, write(readFileSync(root + path, "utf8")));
    console.log(`wrote ${path}`);
  }
}
