import { lstatSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { writeBanner } from "../../../src/cli/serve/banner.ts";
import { passOnFirst } from "../../../src/cli/serve/first-key.ts";
import { makeFolder } from "../../contract/local.ts";

const given = { value: "sk-tg-first", storeFile: "a.db" };

it("shows a first value only where both outputs are a terminal", async () => {
  const folder = await makeFolder();
  for (const [isOutputTty, isErrorTty] of [
    [true, true],
    [true, false],
    [false, true],
    [false, false],
  ] as const) {
    const passed = passOnFirst({ folder, isOutputTty, isErrorTty }, "first-key", given);
    expect(passed.kind).toBe(isOutputTty && isErrorTty ? "shown" : "written");
  }
  expect(readFileSync(join(folder, "a.db.first-key"), "utf8")).toBe("sk-tg-first\n");
});

it("writes it to a file of its owner alone, in place of whatever has its name", async () => {
  const folder = await makeFolder();
  const other = join(folder, "other");
  writeFileSync(other, "untouched", { mode: 0o644 });
  symlinkSync(other, join(folder, "a.db.first-token"));
  const terminal = { folder, isOutputTty: false, isErrorTty: false };
  expect(passOnFirst(terminal, "first-token", given)).toEqual({ kind: "written", file: "a.db.first-token" });
  expect(lstatSync(join(folder, "a.db.first-token")).mode & 0o777).toBe(0o600);
  expect(readFileSync(other, "utf8")).toBe("untouched");
});

it("says that it is lost where it cannot be written, and shows it nowhere", () => {
  const terminal = { folder: "/nowhere/at/all", isOutputTty: false, isErrorTty: false };
  const passed = passOnFirst(terminal, "first-key", { value: "sk-tg-first", storeFile: undefined });
  expect(passed).toEqual({ kind: "lost", file: "tollgate.first-key", problem: "ENOENT" });
});

const facts = {
  ...{ host: "127.0.0.1", port: 1, gathered: { sources: [], file: undefined }, storeName: "it's.db" },
  ...{ requireKey: true, isGuarded: false, firstToken: undefined },
};

it("the banner names the files, and takes the key from there in the line to paste", () => {
  const written = (file: string) => ({ kind: "written" as const, file });
  const made = { firstKey: written("it's.db.first-key"), firstToken: written("it's.db.first-token") };
  const banner = writeBanner({ ...facts, ...made });
  expect(banner).toContain("A first key was made; it may ask everything, and is in it's.db.first-key, which");
  expect(banner).toContain("its token may do everything, and is in it's.db.first-token, which");
  expect(banner).toContain(`"authorization: Bearer $(cat 'it'\\''s.db.first-key')"`);
});

it("the banner says what became of a first key that could not be written", () => {
  const firstKey = { kind: "lost" as const, file: "a.db.first-key", problem: "EROFS" };
  const banner = writeBanner({ ...facts, firstKey });
  expect(banner).toContain("could not be written to a.db.first-key (EROFS): tollgate key create makes another.");
  expect(banner).toContain("Bearer $TOLLGATE_KEY");
});
