import { spawnSync } from "node:child_process";
import { beforeAll, describe, expect, it } from "vitest";
import { findNode, nodeVersions } from "../../scripts/nodes.ts";
import { buildIfNeeded, root } from "./packed.ts";

const sentence = `tollgate needs Node.js 22.13 or newer; this is ${nodeVersions.refused}.`;

describe(`Node ${nodeVersions.refused}, which is too old`, () => {
  let oldNode = "";

  beforeAll(() => {
    buildIfNeeded();
    oldNode = findNode(nodeVersions.refused);
  });

  function run(...nodeArguments: string[]) {
    const { status, stdout, stderr } = spawnSync(oldNode, nodeArguments, {
      cwd: root,
      encoding: "utf8",
      timeout: 30_000,
    });
    return { status, stdout, stderr };
  }

  it.each([[[]], [["serve"]], [["--version"]]])(
    "gets one sentence from the command line %j and nothing else",
    (given) => {
      expect(run("dist/bin.js", ...given)).toEqual({ status: 1, stdout: "", stderr: `${sentence}\n` });
    },
  );

  it.each(["tollgate", "tollgate/route", "tollgate/testing"])(
    "gets an error that says it when it imports %s",
    (specifier) => {
      const code = `await import("${specifier}").catch((error) => console.log(error.message));`;
      expect(run("--input-type=module", "--eval", code)).toMatchObject({ status: 0, stdout: `${sentence}\n` });
    },
  );

  it("shows no stack when nobody catches that error", () => {
    const { status, stderr } = run("--input-type=module", "--eval", 'import "tollgate";');
    expect(status).toBe(1);
    expect(stderr).toContain(sentence);
    expect(stderr).not.toMatch(/^\s+at /m);
  });
});
