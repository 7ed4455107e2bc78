import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { runProgram } from "../../../src/cli/run-program.ts";
import { readSecrets } from "../../../src/server/portal/secret.ts";
import { fakeTerminal } from "../support/fake-terminal.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "tollgate-portal-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

const now = Date.UTC(2026, 10, 20, 12);

async function run(...line: string[]) {
  const terminal = fakeTerminal({ folder, now: () => now, env: { TOLLGATE_DISCOVER: "false" } });
  const exitCode = await runProgram(line, terminal, () => "1.2.3");
  return { exitCode, ...terminal.written };
}

describe("tollgate token", () => {
  it("makes, lists, grants and revokes; the value is shown once and kept nowhere", async () => {
    const made = await run("token", "create", "ops", "ai-get");
    expect(made).toMatchObject({ exitCode: 0, out: expect.stringMatching(/^tg_at_[0-9A-Za-z]{43}\n$/) });
    const value = made.out.trim();
    for (const file of ["tollgate.db", "tollgate.db.secret"])
      expect(readFileSync(join(folder, file)).includes(value)).toBe(false);
    const listed = JSON.parse((await run("token", "list", "--json")).out) as { name: string; permissions: string[] }[];
    expect(listed.find(({ name }) => name === "ops")?.permissions).toEqual(["ai-get"]);
    expect((await run("token", "grant", "ops", "backups-get")).out).toContain("ai-get, backups-get");
    expect((await run("token", "grant", "ops", "--take", "ai-get")).out).toContain("may    backups-get");
    expect((await run("token", "grant", "ops", "no-such")).err).toContain("unknown permission `no-such`");
    expect(await run("token", "revoke", value.slice(-4))).toMatchObject({ exitCode: 0 });
    expect((await run("token", "list")).out).not.toContain("ops");
  });

  it("of nobody is refused, with who was probably meant", async () => {
    await run("token", "create", "ops");
    const { exitCode, err } = await run("token", "create", "x", "--user", "admim");
    expect({ exitCode, err }).toEqual({ exitCode: 1, err: expect.stringContaining("Did you mean admin?") });
  });
});

describe("tollgate portal", () => {
  it("calls an operation, and its change is in the audit log", async () => {
    await run("token", "create", "ops");
    const set = await run("portal", "call", "POST", "/property", "property=language", "value=de", "description=");
    expect(set).toMatchObject({ exitCode: 0, out: "", err: "Done.\n" });
    const { out } = await run("portal", "call", "get", "/property");
    expect(JSON.parse(out)).toEqual([{ property: "language", value: "de", description: "", inherited: false }]);
    const log = JSON.parse((await run("portal", "call", "GET", "/audit", "limit=1000")).out) as {
      entries: { operation: string }[];
    };
    expect(log.entries.map(({ operation }) => operation)).toContain("properties.set");
  });

  it("completes what begins a path, and says what was probably meant", async () => {
    expect(await run("portal", "call", "GET", "/theem")).toMatchObject({
      exitCode: 2,
      err: expect.stringContaining("Did you mean GET /theme?"),
    });
    expect((await run("portal", "call", "GET", "/restore")).err).toContain("/restore/{backup_id}/image");
    expect((await run("portal", "call", "POST", "/context")).err).toContain("Valid methods: GET.");
    expect((await run("portal", "call", "GET", "/context", "nonsense")).err).toContain("is not a field");
  });

  it("explains the fields of an operation", async () => {
    const { out } = await run("portal", "explain", "PATCH", "/backup/{backup_id}/extend");
    expect(out).toMatch(/permission +extend_backup_time-patch/);
    expect(out).toMatch(/backup_id +in the path +required/);
    expect(out).toMatch(/ttl +string or date-time +required/);
  });

  it("lists by area or by text", async () => {
    expect((await run("portal", "list", "themes")).out.trim().split("\n")).toHaveLength(2);
    expect((await run("portal", "list", "kubeconfig")).out).toContain("/adminkubeconfig");
    expect((await run("portal", "list", "nothing at all")).out).toBe("No operation.\n");
  });
});

describe("the secret of a store", () => {
  it("is the variable's, or that of a file which only its owner may read", () => {
    const place = { folder, env: {} };
    expect(readSecrets({ folder, env: { TOLLGATE_SECRET: " given by a vault " } }, "a.db")).toEqual({
      secret: "given by a vault",
      previousSecrets: [],
    });
    const { secret: made } = readSecrets(place, "a.db");
    expect(made).toMatch(/^[0-9a-f]{64}$/);
    expect(statSync(join(folder, "a.db.secret")).mode & 0o777).toBe(0o600);
    expect(readSecrets(place, "a.db").secret).toBe(made);
    chmodSync(join(folder, "a.db.secret"), 0o644);
    expect(() => readSecrets(place, "a.db")).toThrow(/chmod 600/);
  });

  it("is the same by a symbolic link to the store", () => {
    writeFileSync(join(folder, "a.db"), "");
    symlinkSync(join(folder, "a.db"), join(folder, "link.db"));
    const place = { folder, env: {} };
    expect(readSecrets(place, "link.db")).toEqual(readSecrets(place, "a.db"));
  });

  it("that cannot be used is told by where it stands, with what to do", async () => {
    const file = join(folder, "tollgate.db.secret");
    writeFileSync(file, "", { mode: 0o600 });
    expect((await run("token", "create", "ops", "ai-get")).err).toBe(
      `tollgate: ${file} is too short: a secret needs at least 16 characters. Restore its content, or remove the file if it never held a secret.\n`,
    );
    rmSync(file);
    mkdirSync(file, { mode: 0o700 }); // stands for a file of another user: root, who may run this, reads those
    expect((await run("token", "create", "ops", "ai-get")).err).toBe(
      `tollgate: The secret ${file} cannot be read: EISDIR. Give it to the user who runs this, or set TOLLGATE_SECRET.\n`,
    );
    const env = { TOLLGATE_SECRET: "short" };
    expect(() => readSecrets({ folder, env }, "a.db")).toThrow(
      /^TOLLGATE_SECRET is too short: a secret needs at least 16 characters/,
    );
  });
});
