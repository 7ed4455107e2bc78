import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { memoryCache } from "../../../../adapters/caches/memory.ts";
import { embeddedVectors } from "../../../../adapters/vectors/embedded/index.ts";
import { reviewPairs } from "../../../../src/cli/usage/review-pairs.ts";
import { pairId } from "../../../../src/engine/caching/review.ts";
import type { Provider } from "../../../../src/engine/ports/provider.ts";
import { recordPairs } from "../../../../src/server/logging/pair-log.ts";
import { engineOver } from "../../../engine/support/support.ts";
import { fakeTerminal } from "../../support/fake-terminal.ts";

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), "tollgate-review-"));
  onTestFinished(() => rmSync(path, { recursive: true }));
  return path;
}

const pairs = [
  { result: "would_hit", similarity: 0.99, known: "a", asked: "b" },
  { result: "hit", similarity: 0.93, known: "c", asked: "d" },
  { result: "hit", similarity: 0.93, known: "c", asked: "d" },
];

/** A file with these pairs, and a line that was half written. */
function pairFile(): string {
  const file = join(folder(), "pairs.jsonl");
  writeFileSync(file, `${pairs.map((pair) => JSON.stringify(pair)).join("\n")}\n{"simil\n`);
  return file;
}

it("labels that are typed are stored, and give the precision at thresholds", async () => {
  const file = pairFile();
  const terminal = fakeTerminal({ lines: ["n", "y"] });
  expect(await reviewPairs({ file, isJson: false, labels: undefined }, terminal)).toBe(0);
  expect(terminal.written.out).toContain("2 pairs, 2 labelled");
  expect(terminal.written.out).toMatch(/0\.92 +2 +1 +50\.0 %/);
  expect(terminal.written.out).toMatch(/0\.94 +1 +1 +100\.0 %/);
  expect(terminal.written.err).toMatch(/cannot be read: 4\./);
  const again = fakeTerminal({ lines: ["n"] });
  expect(await reviewPairs({ file, isJson: false, labels: undefined }, again)).toBe(0);
  expect(again.written.out).toBe(terminal.written.out.slice(terminal.written.out.indexOf("2 pairs, 2 labelled")));
});

it("labels of a file are stored, the last one counts, and unknown ones are refused", async () => {
  const file = pairFile();
  const [first, second] = [pairId("a", "b"), pairId("c", "d")];
  const labels = [
    { id: first, same: false },
    { id: first, same: true },
    { id: second, same: true },
  ];
  const input = (lines: object[]) => lines.map((line) => JSON.stringify(line)).join("\n");
  const terminal = fakeTerminal({ input: input(labels) });
  expect(await reviewPairs({ file, isJson: true, labels: "-" }, terminal)).toBe(0);
  const { pairs: read, precision } = JSON.parse(terminal.written.out);
  expect(read).toMatchObject([
    { id: second, similarity: 0.93, count: 2, isSame: true },
    { id: first, similarity: 0.99, count: 1, isSame: true },
  ]);
  expect(precision[0]).toEqual({ threshold: 0.8, labelled: 2, right: 2, precision: 1 });
  const before = readFileSync(file, "utf8");
  const wrong = fakeTerminal({ input: input([labels[0] ?? {}, { id: "none", same: true }]) });
  await expect(reviewPairs({ file, isJson: true, labels: "-" }, wrong)).rejects.toThrow(/Line 2 .*`none`/);
  expect(readFileSync(file, "utf8")).toBe(before);
});

it("a gateway records semantic hits and would-be ones in a file of its own", async () => {
  const provider: Provider = {
    name: "a",
    async chat(_request, { id, model }) {
      const choices = [{ index: 0, finish_reason: "stop", message: { role: "assistant" as const, content: "x" } }];
      return { id, object: "chat.completion", created: 1, model, choices };
    },
    embed: async (_request, { model }) => ({
      ...{ object: "list", model },
      data: [{ index: 0, object: "embedding", embedding: [1, 0] }],
    }),
  };
  for (const shadow of [true, false]) {
    const cache = { answers: memoryCache(), vectors: embeddedVectors(), embed: "a/e", shadow };
    const { engine } = engineOver([provider], { cache });
    const file = join(folder(), "pairs.jsonl");
    recordPairs({ engine, file: () => file, log: { warn: (_: unknown, text: string) => expect.fail(text) } as never });
    const say = (content: string) => engine.chat({ model: "a/m", messages: [{ role: "user", content }] });
    await say("What is the capital of Norway?");
    await say("capital of Norway");
    await expect.poll(() => statSync(file, { throwIfNoEntry: false })?.size ?? 0).toBeGreaterThan(0);
    expect(JSON.parse(readFileSync(file, "utf8"))).toMatchObject({
      ...{ result: shadow ? "would_hit" : "hit", asked: "user: capital of Norway" },
      known: "user: What is the capital of Norway?",
    });
    expect(statSync(file).mode & 0o077).toBe(0);
  }
});
