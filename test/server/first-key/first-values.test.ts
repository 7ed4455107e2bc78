import { lstatSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { writeBanner } from "../../../src/server/banner.ts";
import { makeSignInLink, passOnFirst } from "../../../src/server/first-key.ts";
import { makeFolder } from "../../clouds/support/local.ts";

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

const link = "http://127.0.0.1:1/console/#sign-in=code";

describe("the link that signs in", () => {
  const issued = { code: "code", username: "admin", ends_at: "" };
  const atTerminal = { folder: "/", isOutputTty: true, isErrorTty: true };
  const place = { host: "127.0.0.1", address: "http://127.0.0.1:1", isFirst: false, terminal: atTerminal };
  const portal = { issueSignInCode: async () => issued };

  it("is made at every start at a terminal, and elsewhere at the first one alone", async () => {
    const piped = { ...place, terminal: { ...atTerminal, isOutputTty: false } };
    expect(await makeSignInLink(portal, place)).toBe(link);
    expect(await makeSignInLink(portal, piped)).toBeUndefined();
    expect(await makeSignInLink(portal, { ...piped, isFirst: true })).toBe(link);
  });

  it.each(["192.0.2.1", "gateway.example"])("is not made where only %s is listened on", async (host) => {
    expect(await makeSignInLink(portal, { ...place, host, isFirst: true })).toBeUndefined();
  });

  it("is not made where the portal has none to give", async () => {
    expect(await makeSignInLink({ issueSignInCode: async () => undefined }, place)).toBeUndefined();
  });

  it("stands on one line with the console's address; a log learns the name of its file alone", () => {
    const served = { ...facts, firstKey: undefined, hasConsole: true };
    const shown = writeBanner({ ...served, signInLink: { kind: "shown", value: link } });
    expect(shown).toContain(`Console: ${link} (signs in once, within ten minutes, on this machine only)\n`);
    const written = writeBanner({ ...served, signInLink: { kind: "written", file: "a.db.first-link" } });
    expect(written).toContain(
      "Console: http://127.0.0.1:1/console. A link that signs in once, within ten minutes, is in",
    );
    expect(written).not.toContain("#sign-in=");
    expect(writeBanner({ ...served, hasConsole: false })).not.toContain("Console:");
  });
});

it("the banner says what became of a first key that could not be written", () => {
  const firstKey = { kind: "lost" as const, file: "a.db.first-key", problem: "EROFS" };
  const banner = writeBanner({ ...facts, firstKey });
  expect(banner).toContain("could not be written to a.db.first-key (EROFS): tollgate key create makes another.");
  expect(banner).toContain("Bearer $TOLLGATE_KEY");
});
