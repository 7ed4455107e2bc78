import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { runProgram } from "../../../src/cli/run-program.ts";
import { fakeTerminal } from "../support/fake-terminal.ts";

function openFolder(config?: string) {
  const folder = mkdtempSync(join(tmpdir(), "tollgate-notices-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  if (config !== undefined) writeFileSync(join(folder, "tollgate.config.yaml"), config);
  return async (...words: string[]) => {
    const terminal = fakeTerminal({ folder, now: () => Date.parse("2026-11-20T12:00:00Z") });
    return { code: await runProgram(words, terminal, () => "1"), ...terminal.written };
  };
}

const notices = (err: string) => err.split("\n").filter((line) => line.startsWith("tollgate: "));

describe("tollgate key create", () => {
  it.each([
    ["openai/gtp-5", "tollgate: openai/gtp-5 matches no known model. Did you mean openai/gpt-5?"],
    ["opanai/*", "tollgate: opanai/* matches no known model. Did you mean openai/*?"],
    ["claude-sonet-5", "tollgate: claude-sonet-5 matches no known model. Did you mean claude-sonnet-5?"],
    ["openai/zzzzzzzzzz", "tollgate: openai/zzzzzzzzzz matches no known model."],
    ["openrouter/no-such-maker/*", "tollgate: openrouter/no-such-maker/* matches no known model."],
  ])("says that %s matches no known model, and makes the key", async (pattern, notice) => {
    const { code, err } = await openFolder()("key", "create", "a", "--allow", pattern);
    expect([code, notices(err)[0]]).toEqual([0, notice]);
  });

  it.each(["*", "openai/*", "openai/gpt-5", "gpt-5", "OpenAI/gpt-5-2025-08-07", "openrouter/meta-llama/*"])(
    "says nothing of %s",
    async (pattern) => {
      const { err } = await openFolder()("key", "create", "a", "--allow", pattern.replace("OpenAI", "openai"));
      expect(notices(err)).toEqual([]);
    },
  );

  it("says which allowed models have no price", async () => {
    const run = openFolder(
      "discover: false\nproviders: { lab: { kind: vllm, baseUrl: 'http://127.0.0.1:1' } }\nprices: { lab2/x: { max_output_tokens: 5 } }",
    );
    const { err } = await run("key", "create", "a", "--allow", "lab/*", "--allow", "lab2/x");
    expect(notices(err)).toEqual([
      "tollgate: No price is known of lab/*, lab2/x: hard budgets refuse such calls, unless `prices` states it.",
    ]);
  });

  it("says that another key of the same owner has the name; of another owner it may", async () => {
    const run = openFolder();
    await run("project", "create", "p");
    const { err: first } = await run("key", "create", "a", "--allow", "*");
    const { err: elsewhere } = await run("key", "create", "a", "--allow", "*", "--project", "p");
    const { err: again } = await run("key", "create", "a", "--allow", "*");
    expect([notices(first), notices(elsewhere)]).toEqual([[], []]);
    expect(notices(again)[0]).toMatch(
      /^tollgate: Another key of the same owner has the same name: `vk_\w+`\. Tell them apart by id: `vk_\w+`\.$/,
    );
    expect(notices((await run("project", "create", "p")).err)[0]).toContain(
      "Another project of the same owner has the same name",
    );
  });
});
