import type { ToolDescription } from "../../ports/tools/tool-server.ts";
import { scoreByWords } from "../../runtime/words/by-words.ts";

/** Words that a tool is looked for by. */
export interface ToolQuery {
  readonly query: string;
  /** Tools in the answer, at most; 10 by default. */
  readonly limit?: number | undefined;
}

/** Characters of a description, and arguments, that a tool is found by. */
const [searchedCharacters, searchedArguments] = [2_000, 50];

/** Characters of a query that are read. */
const longestQuery = 1_000;

/** The tools that share words with a query, by their names, descriptions and arguments, the best first (BM25). */
export async function rankTools<Tool extends ToolDescription>(
  tools: readonly Tool[],
  { query, limit = 10 }: ToolQuery,
): Promise<readonly Tool[]> {
  const scores = await scoreByWords(wordsOf(query.slice(0, longestQuery)), tools.map(textOf));
  return tools
    .map((tool, at) => ({ tool, score: scores[at] ?? 0 }))
    .filter(({ score }) => score > 0)
    .sort((one, other) => other.score - one.score)
    .slice(0, limit)
    .map(({ tool }) => tool);
}

function textOf({ name, title = "", description = "", inputSchema }: ToolDescription): string {
  const { properties } = inputSchema;
  const named = typeof properties === "object" && properties !== null ? Object.keys(properties) : [];
  const texts = [name, title, description.slice(0, searchedCharacters), ...named.slice(0, searchedArguments)];
  return wordsOf(texts.join(" "));
}

/** `createIssue` and `create_issue` are two words each. */
function wordsOf(text: string): string {
  return text.replace(/([a-z0-9])([A-Z])/g, "$1 $2").replaceAll("_", " ");
}
