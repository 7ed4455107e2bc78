import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { readTally } from "../../scripts/tally.ts";
import { root } from "./packed.ts";

const cache = join(root, ".cache");
mkdirSync(cache, { recursive: true });

describe("the counts of a gate", () => {
  const folder = mkdtempSync(join(cache, "tally-"));
  const path = join(folder, "tally.json");

  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  /** Runs a suite of one file with the reporter of the gate. */
  function tally(suite: string) {
    writeFileSync(join(folder, "suite.test.ts"), `import { it } from "vitest";\n${suite}`);
    writeFileSync(
      join(folder, "vitest.config.ts"),
      `import { tallyInto } from "../../scripts/tally.ts";
      export default { test: { include: ["suite.test.ts"], reporters: [tallyInto(${JSON.stringify(path)})] } };`,
    );
    rmSync(path, { force: true });
    spawnSync(process.execPath, [join(root, "node_modules/vitest/vitest.mjs"), "run", "--root", folder], {
      cwd: folder,
    });
    return readTally(path);
  }

  it("tells passed, failed and skipped tests apart, and says why one was skipped", () => {
    const suite = `
      it("good", () => {});
      it("bad", () => { throw new Error("bad"); });
      it("elsewhere", (context) => context.skip("no display here"));`;
    const notes = ["skipped: elsewhere: no display here"];
    expect(tally(suite)).toEqual({ passed: 1, failed: 1, skipped: 1, notes });
  });

  it("count a test that is skipped without a reason as failed", () => {
    const notes = ["skipped without a reason: forgotten"];
    expect(tally('it.skip("forgotten", () => {});')).toEqual({ passed: 0, failed: 1, skipped: 0, notes });
  });

  it("count a file that does not load as failed", () => {
    expect(tally('import "./missing.ts"; it("good", () => {});')).toMatchObject({ passed: 0, failed: 1 });
  });

  it("count an error that no test caught as failed", () => {
    expect(tally('it("good", () => { Promise.reject(new Error("stray")); });')).toMatchObject({ passed: 1, failed: 1 });
  });
});
