/**
 * How well the rerankers of this process find a text: the mean reciprocal rank of the right manual page of this machine among others, by
 * kind of question. `summary`: the page's own summary, against descriptions without it. `words`: the three words of a page that the fewest
 * others have. `everyday`: how people ask who do not know the command (bench/everyday-questions.txt). Pages are sampled evenly; a text is
 * the first 1,000 characters of a description.
 *
 *     node --experimental-strip-types bench/rerankers.ts [pages = 450]
 */
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { mixScores } from "../adapters/providers/local/rerank/rerank.ts";
import { localVectors } from "../adapters/providers/local/vectors.ts";
import { scoreByWords } from "../src/engine/runtime/words/by-words.ts";

interface Page {
  readonly name: string;
  readonly summary: string;
  readonly text: string;
}

const folder = "/usr/share/man/man1";
const most = Number(process.argv[2] ?? 450);
const everyday = readFileSync(new URL("./everyday-questions.txt", import.meta.url), "utf8")
  .split("\n")
  .flatMap((line) => (line === "" ? [] : [line.split(": ") as [name: string, question: string]]));

/** A page as it is printed; `undefined` for one without a summary or a description. */
function readPage(file: string): Page | undefined {
  const name = file.replace(/\.1.*$/, "");
  let printed: string;
  try {
    const env = { ...process.env, MANWIDTH: "1000", LC_ALL: "C.UTF-8" };
    printed = execFileSync("man", ["-P", "cat", `${folder}/${file}`], {
      env,
      stdio: ["ignore", "pipe", "ignore"],
    }).toString();
  } catch {
    return undefined;
  }
  const summary = /^NAME\n\s+.*? [-–—]+ (.*)/m.exec(printed)?.[1];
  const text = /^DESCRIPTION\n([\s\S]*?)(?=^[A-Z]|(?![\s\S]))/m.exec(printed)?.[1]?.replace(/\s+/g, " ").trim();
  return summary && text && text.length > 200 ? { name, summary, text: text.slice(0, 1_000) } : undefined;
}

function readPages(): Page[] {
  const files = readdirSync(folder).filter((file) => /\.1\.gz$/.test(file));
  const asked = new Set(everyday.map(([name]) => `${name}.1.gz`));
  const others = files.filter((file) => !asked.has(file));
  const step = Math.max(1, Math.floor(others.length / (most * 2)));
  const pages: Page[] = [];
  for (const file of [...asked, ...others.filter((_, at) => at % step === 0)]) {
    if (pages.length === most) break;
    const page = readPage(file);
    if (page) pages.push(page);
  }
  return pages;
}

/** The three words of a text that the fewest others have, in its order. */
function rarestWords(pages: readonly Page[]): string[] {
  const wordsOf = ({ text }: Page) => [...new Set(text.toLowerCase().match(/\p{L}{4,}/gu) ?? [])];
  const counts = new Map<string, number>();
  for (const page of pages) for (const word of wordsOf(page)) counts.set(word, (counts.get(word) ?? 0) + 1);
  return pages.map((page) => {
    const common = wordsOf(page).filter((word) => (counts.get(word) ?? 0) > 1);
    const rare = new Set(common.sort((one, other) => (counts.get(one) ?? 0) - (counts.get(other) ?? 0)).slice(0, 3));
    return wordsOf(page)
      .filter((word) => rare.has(word))
      .join(" ");
  });
}

/** One over the rank of the right text; ties count as if it stood last of them. */
function reciprocalRank(scores: readonly number[], right: number): number {
  const own = scores[right] as number;
  return 1 / scores.filter((score) => score >= own).length;
}

const pages = readPages();
const vectors = localVectors("local");
const { signal } = new AbortController();
const vectorsOf = async (texts: readonly string[]) => (await vectors.vectorsOf(texts, signal)).vectors;
const product = (one: readonly number[], other: readonly number[]) =>
  one.reduce((sum, value, at) => sum + value * (other[at] ?? 0), 0);

/** A kind of question: what is asked, the place of the right text, and the texts. */
const kinds: Record<
  string,
  { readonly asked: (readonly [question: string, right: number])[]; readonly texts: string[] }
> = {
  summary: { asked: pages.map(({ summary }, at) => [summary, at]), texts: pages.map(({ text }) => text) },
  words: { asked: rarestWords(pages).map((words, at) => [words, at]), texts: pages.map(({ text }) => text) },
  everyday: {
    asked: everyday.flatMap(([name, question]) => {
      const right = pages.findIndex((page) => page.name === name);
      return right === -1 ? [] : [[question, right] as const];
    }),
    texts: pages.map(({ name, summary, text }) => `${name} - ${summary}\n${text}`),
  },
};

console.log(`${pages.length} pages`);
console.log(["kind", "n", "bm25", "minilm", "hybrid"].join("\t"));
for (const [kind, { asked, texts }] of Object.entries(kinds)) {
  const documents = await vectorsOf(texts);
  const questions = await vectorsOf(asked.map(([question]) => question));
  const sums = new Map<string, number>();
  const add = (name: string, value: number) => sums.set(name, (sums.get(name) ?? 0) + value);
  for (const [at, [question, right]] of asked.entries()) {
    const words = await scoreByWords(question, texts);
    const [ofQuery = 0] = (await scoreByWords(question, [...texts, question])).slice(-1);
    const similar = documents.map((document) => product(questions[at] ?? [], document));
    add("bm25", reciprocalRank(words, right));
    add("minilm", reciprocalRank(similar, right));
    add("hybrid", reciprocalRank(mixScores(words, similar, ofQuery), right));
  }
  const row = [...sums.values()].map((sum) => (sum / asked.length).toFixed(3));
  console.log([kind, asked.length, ...row].join("\t"));
}
await vectors.close();
