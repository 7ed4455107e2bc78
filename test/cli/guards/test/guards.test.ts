import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { memoryStore } from "../../../../adapters/stores/memory/index.ts";
import { testGuards } from "../../../../src/cli/guards/test.ts";
import { openEngine } from "../../../../src/server/open-engine.ts";
import { fakeTerminal } from "../../support/fake-terminal.ts";

const folder = mkdtempSync(join(tmpdir(), "tollgate-guards-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const write = (name: string, text: string) => writeFileSync(join(folder, name), text);
const hello = (content: string) => ({ model: "local/echo", messages: [{ role: "user" as const, content }] });

async function openWith(lines: string) {
  write("guards.yaml", `discover: false\nguards:\n${lines}\n`);
  return openEngine(fakeTerminal({ folder }), "guards.yaml", async () => memoryStore());
}

describe("guards in a configuration", () => {
  it("are for every request, or for the keys and projects that they name", async () => {
    const open = await openWith("  - { use: words, words: [bad] }");
    await expect(open.engine.chat(hello("bad"))).rejects.toMatchObject({ blocked: { middleware: "words" } });
    await open.engine.close();
    const { engine } = await openWith("  - { use: words, words: [bad], projects: [p1] }");
    const project = await engine.projects.create({ name: "p" });
    const provider_configs = [{ provider: "*", allowed_models: ["*"] }];
    const { value } = await engine.keys.create({ name: "k", project_id: project.id, provider_configs });
    await engine.chat(hello("bad"), { key: value });
    const guarded = await openWith(`  - { use: words, words: [bad], projects: [${project.id}] }`);
    await guarded.engine.chat(hello("bad"));
    await guarded.engine.close();
    await engine.close();
  });
  it.each([
    ["  - { use: nothing }", "guards.0", /pii, words/],
    ["  - { use: words, words: [bad], actoin: mask }", "guards.0.actoin", /Valid options/],
    ["  - { use: judge }", "guards.0.model", /required/],
  ])("%s is refused with its field", async (line, param, message) => {
    await expect(openWith(line)).rejects.toMatchObject({
      code: "invalid_configuration",
      message: expect.stringMatching(message),
      param: expect.stringContaining(param),
    });
  });
});

describe("tollgate guard test", () => {
  const run = async (examples: string) => {
    write("tollgate.config.yaml", "discover: false\nguards:\n  - { use: words, words: [bad] }\n  - { use: pii }\n");
    write("examples.jsonl", examples);
    const terminal = fakeTerminal({ folder });
    const code = await testGuards.run({ words: ["examples.jsonl"], values: {} }, terminal);
    return { code, text: terminal.written.out };
  };
  it("says what the guards did, and fails where that is not what was expected", async () => {
    const examples = [
      { request: "hello", expect: "pass" },
      { request: "so bad", expect: "block", guard: "words" },
      { request: "hi", answer: "so bad", expect: "block" },
      { request: "I am eve@x.example", expect: "change" },
    ].map((example) => JSON.stringify(example));
    expect(await run(examples.join("\n"))).toMatchObject({ code: 0, text: expect.stringContaining("4 of 4") });
    const wrong = await run(`${examples[0]}\n${JSON.stringify({ request: "bad", expect: "pass" })}`);
    expect(wrong.code).toBe(1);
    expect(wrong.text).toMatch(/WRONG +line 2 +block, not pass +by words \(words\)/);
  });
  it("names the line at fault", async () => {
    await expect(run('{"request":"x","expect":"pass"}\n{"request":1}')).rejects.toThrow("line 2");
    await expect(run('{"request":"x","expects":"pass"}')).rejects.toThrow("unknown field `expects`");
  });
});
