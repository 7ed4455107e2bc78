import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { beforeAll, expect, it } from "vitest";

const root = fileURLToPath(new URL("../..", import.meta.url));
const run = (path: string, timeout = 60_000) => {
  const { NODE_OPTIONS, ...env } = process.env;
  return execFileSync(process.execPath, [path], { cwd: root, encoding: "utf8", env, timeout });
};

beforeAll(() => {
  run("scripts/prepare.mjs", 240_000);
}, 240_000);

it("the LangChain.js example runs offline: chain, stream, tool, usage, structured output", () => {
  const lines = run("examples/langchain.ts").trimEnd().split("\n");
  expect(lines).toEqual([
    expect.stringMatching(/^whole: .*Tell me about tolls/),
    expect.stringMatching(/^streamed in (\d{2,}|[5-9]) pieces: .*Tell me about gates/),
    "tool: weather city",
    expect.stringMatching(/^tokens: [1-9]\d*$/),
    "structured: title,count",
  ]);
});
