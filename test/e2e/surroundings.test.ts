import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { root } from "./packed.ts";

const folder = mkdtempSync(join(tmpdir(), "tollgate-surroundings-"));

beforeAll(() => {
  execFileSync(process.execPath, [join(root, "scripts/prepare.mjs")], { stdio: ["ignore", "ignore", "inherit"] });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const isRoot = process.getuid?.() === 0;
const nobody = 65_534;

interface Surroundings {
  readonly env?: Readonly<Record<string, string>>;
  readonly uid?: number;
  readonly gid?: number;
}

/** Runs a line of the shell in which `tollgate` is the built program, and whose environment is nearly empty. */
function shell(line: string, { env, ...user }: Surroundings = {}) {
  const named = `tollgate() { "${process.execPath}" "${join(root, "dist/bin.js")}" "$@"; }\n${line}`;
  const cwd = user.uid === undefined ? folder : "/";
  const options = { ...user, cwd, encoding: "utf8", env: { PATH: process.env.PATH ?? "", ...env } } as const;
  const { status, stdout, stderr } = spawnSync("sh", ["-c", named], options);
  return { status, stdout, stderr };
}

describe("whoever reads what is printed", () => {
  // That a list whose reader stops ends quietly is told in cli.test.ts.
  it.each([
    ["tollgate nonsense", 2],
    ["tollgate key list --store missing.db", 1],
    ["tollgate chat local/echo hi > answer.txt", 0],
  ])("and stops changes nothing about what a program comes to that tells of itself: %s", (line, code) => {
    const { stdout } = shell(`{ { ${line}; echo $? > code.txt; } 2>&1 | true; }; cat code.txt`);
    expect(stdout).toBe(`${code}\n`);
  });

  it("and is not there, nor whoever types, is not missed", () => {
    expect(shell("tollgate plan local/echo <&- 2>&-").stdout).toBe("Candidates, in order:\n  1.  local/echo\n");
    expect(shell("tollgate plan local/echo >&- <&-")).toEqual({ status: 0, stdout: "", stderr: "" });
    const none = "tollgate: The prompt is missing. Write it after the model, in quotes, or pipe it to stdin.\n";
    expect(shell("tollgate chat local/echo <&-")).toEqual({ status: 2, stdout: "", stderr: none });
  });
});

describe("a folder", () => {
  it("that is gone is told in a sentence, without a stack", (context) => {
    if (process.platform !== "linux") context.skip("a folder that is in use cannot be removed everywhere");
    const message = "tollgate: The working folder cannot be used (ENOENT): change into another one.\n";
    for (const line of ["tollgate models", "tollgate --help"]) {
      mkdirSync(join(folder, "gone"));
      expect(shell(`cd gone; rmdir ../gone; ${line}`)).toEqual({ status: 1, stdout: "", stderr: message });
    }
  });

  it("that cannot be written to holds no store, and a store in it cannot be used", (context) => {
    const lent = mkdtempSync(join(tmpdir(), "tollgate-lent-"));
    const user = isRoot ? { uid: nobody, gid: nobody } : {}; // root may write everywhere
    if (isRoot) chownSync(lent, nobody, nobody);
    if (shell("tollgate --version", user).status !== 0)
      context.skip("another user than root may not read this checkout");
    shell(`cd ${lent}; tollgate key create k --allow '*' --store old.db; chmod 500 .`, user);
    const cases = { "new.db": "it cannot be opened or made there", "old.db": "it cannot be written" };
    for (const [name, problem] of Object.entries(cases)) {
      const { status, stderr } = shell(`cd ${lent}; tollgate key create l --allow '*' --store ${name}`, user);
      expect(stderr).toMatch(new RegExp(`^tollgate: The store .*${name} cannot be opened: ${problem}; .*\\.\n$`));
      expect(status).toBe(1);
    }
    chmodSync(lent, 0o700);
    rmSync(lent, { recursive: true });
  });
});

it.each(["000", "077"])("the secret beside a store is its owner's alone under umask %s", (mask) => {
  shell(`umask ${mask}; tollgate demo --store ${mask}.db > made.txt`);
  expect(statSync(join(folder, `${mask}.db.secret`)).mode & 0o777).toBe(0o600);
  expect(statSync(join(folder, `${mask}.db`)).mode & 0o133).toBe(0); // nobody else writes
});

it.each(["Asia/Tokyo", "America/Los_Angeles"])("days are of UTC in %s", (TZ) => {
  const env = { TZ, LANG: "C", LC_ALL: "C" };
  const line = `tollgate key create Grüße-${TZ.length} --allow '*' --expires 2036-12-01 --store zone.db`;
  const { stderr } = shell(line, { env });
  expect(stderr).toContain(`Grüße-${TZ.length}`);
  expect(stderr).toMatch(/until {4}2036-12-01 00:00 UTC/);
});
