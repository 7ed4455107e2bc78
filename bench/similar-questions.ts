/**
 * How good the hits of the semantic cache are: the labelled pairs of test/fixtures/similar/pairs.txt through the local embedding model and
 * the guard, by threshold, for each half. Every other pair is held back: the guard was tuned on the first half only.
 *
 *     node --experimental-strip-types bench/similar-questions.ts [--pairs]
 */
import { readFileSync } from "node:fs";
import { local } from "../adapters/providers/local/index.ts";
import { differenceFinder } from "../src/engine/caching/difference.ts";
import { comparableChat } from "../src/engine/caching/semantic.ts";
import { createEngine } from "../src/index.ts";

interface Pair {
  readonly kind: string;
  readonly isSame: boolean;
  readonly texts: readonly [string, string];
}

/** The pairs of the file, in its order. */
function readPairs(): Pair[] {
  const pairs: Pair[] = [];
  let heading: readonly string[] = [];
  for (const line of readFileSync(new URL("../test/fixtures/similar/pairs.txt", import.meta.url), "utf8").split("\n")) {
    if (line.startsWith("# ")) heading = line.slice(2).split(" ");
    else if (line !== "") {
      const at =
        line.length % 2 === 1 && line.slice(line.length / 2 - 1).startsWith(" = ")
          ? line.length / 2 - 1
          : middleOf(line);
      const texts = [line.slice(0, at), line.slice(at + 3)] as const;
      pairs.push({ kind: heading[0] ?? "", isSame: heading[1] === "same", texts });
    }
  }
  return pairs;
}

/** Where the two texts of a line meet: the ` = ` that is nearest to its middle. */
function middleOf(line: string): number {
  const places = [...line.matchAll(/ = /g)].map(({ index }) => index);
  const middle = line.length / 2 - 1.5;
  return places.sort((one, other) => Math.abs(one - middle) - Math.abs(other - middle))[0] ?? -1;
}

const engine = createEngine({ providers: [local()] });
const pairs = readPairs();
const chatOf = (content: string) =>
  comparableChat({ model: "a/m", messages: [{ role: "user", content }] }, { target: "a/m", embed: "e/m" });
const { data } = await engine.embed({
  model: "local/minilm-l6-v2",
  input: pairs.flatMap(({ texts }) => texts.map((text) => chatOf(text)?.text ?? "")),
});
const find = differenceFinder([]);
const rows = pairs.map((pair, at) => {
  const [one, other] = [data[2 * at], data[2 * at + 1]].map((entry) => entry?.embedding as number[]) as [
    number[],
    number[],
  ];
  const similarity = one.reduce((sum, value, place) => sum + value * (other[place] ?? 0), 0);
  const [first, second] = pair.texts.map(chatOf);
  const isGuarded = first?.space !== second?.space || find(first?.text ?? "", second?.text ?? "") !== undefined;
  return { ...pair, similarity, isGuarded, isHeldBack: at % 2 === 1 };
});
await engine.close();

function measure(chosen: typeof rows, threshold: number, isGuarded: boolean) {
  const hits = chosen.filter((row) => row.similarity >= threshold && !(isGuarded && row.isGuarded));
  const right = hits.filter(({ isSame }) => isSame).length;
  const same = chosen.filter(({ isSame }) => isSame).length;
  return { precision: hits.length ? right / hits.length : 1, recall: right / same, hits: hits.length };
}

const percent = (value: number) => `${(value * 100).toFixed(1).padStart(5)} %`;
for (const [title, chosen] of [
  ["tuned on", rows.filter(({ isHeldBack }) => !isHeldBack)],
  ["held back", rows.filter(({ isHeldBack }) => isHeldBack)],
] as const) {
  console.log(`\n${title}: ${chosen.length} pairs\nthreshold   precision   recall   | without the guard`);
  for (const threshold of [0.8, 0.82, 0.84, 0.86, 0.88, 0.9, 0.92, 0.94, 0.95, 0.96]) {
    const [own, bare] = [measure(chosen, threshold, true), measure(chosen, threshold, false)];
    console.log(
      `${threshold.toFixed(2)}       ${percent(own.precision)}   ${percent(own.recall)}   | ${percent(bare.precision)}   ${percent(bare.recall)}`,
    );
  }
}
if (process.argv.includes("--pairs")) {
  for (const row of rows.filter(({ isHeldBack }) => !isHeldBack)) {
    const isHit = row.similarity >= 0.8 && !row.isGuarded;
    if (isHit !== row.isSame)
      console.log(
        row.isSame ? "missed" : "WRONG ",
        row.kind,
        row.similarity.toFixed(3),
        row.isGuarded ? "guarded" : "",
        row.texts.join(" | "),
      );
  }
}
