import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it, onTestFinished } from "vitest";
import { describeChanges, findChanges } from "../../../src/server/reload/changes.ts";
import {
  processFileAt,
  readProcessFile,
  removeProcessFile,
  writeProcessFile,
} from "../../../src/server/reload/process-file.ts";

describe("changes of a configuration", () => {
  const settings = fc.dictionary(
    fc.stringMatching(/^[a-z]{1,3}$/),
    fc.oneof(
      fc.integer(),
      fc.array(fc.integer()),
      fc.dictionary(fc.stringMatching(/^[a-z]$/), fc.string(), { noNullPrototype: true }),
    ),
    { maxKeys: 5, noNullPrototype: true },
  );
  it("are none exactly where both are the same, and undo themselves", () => {
    fc.assert(
      fc.property(settings, settings, (one, other) => {
        expect(findChanges(one, structuredClone(one))).toEqual([]);
        const kinds = { added: "removed", removed: "added", changed: "changed" } as const;
        const there = findChanges(one, other);
        expect(there.length === 0).toBe(JSON.stringify(sorted(one)) === JSON.stringify(sorted(other)));
        expect(findChanges(other, one)).toEqual(there.map(({ kind, path }) => ({ kind: kinds[kind], path })));
      }),
    );
  });
  it("name paths and no values, at most twenty of them", () => {
    const before = { a: { apiKey: "sk-one" }, list: [1], gone: true };
    const after = { a: { apiKey: "sk-two" }, list: [1, 2], fresh: {} };
    expect(describeChanges(findChanges(before, after))).toBe("~a.apiKey, +fresh, -gone, ~list");
    expect(describeChanges([])).toBe("no setting changed");
    const many = Object.fromEntries(Array.from({ length: 30 }, (_, n) => [`s${n}`, n]));
    expect(describeChanges(findChanges({}, many))).toMatch(/ and 10 more$/);
  });
});

describe("the process file", () => {
  const folder = () => {
    const made = mkdtempSync(join(tmpdir(), "tollgate-process-"));
    onTestFinished(() => rmSync(made, { recursive: true }));
    return made;
  };
  it("says what was written, and belongs to the gateway that wrote it last", async () => {
    const file = join(folder(), "tollgate.db.pid");
    expect(await readProcessFile(file)).toBeUndefined();
    await writeProcessFile(file, { pid: 17, lastReload: undefined });
    expect(await readProcessFile(file)).toEqual({ pid: 17, lastReload: undefined });
    const lastReload = { count: 2, isApplied: false, message: "`rules` must be\na list" };
    await writeProcessFile(file, { pid: 18, lastReload });
    await removeProcessFile(file, 17);
    expect(await readProcessFile(file)).toEqual({ pid: 18, lastReload });
    await removeProcessFile(file, 18);
    expect(await readProcessFile(file)).toBeUndefined();
  });
  it("with something else in it names no process", async () => {
    const file = join(folder(), "other.pid");
    for (const text of ["", "0\n", "-1\n", "1.5\n", "sqlite format 3"]) {
      writeFileSync(file, text);
      expect(await readProcessFile(file), text).toBeUndefined();
    }
  });
  it("is the one that is named, or stands behind the store file", () => {
    const at = (processFile?: string, storeFile?: string) => processFileAt({ folder: "/srv", processFile, storeFile });
    expect([at(), at(undefined, "a.db"), at("/run/p", "a.db"), at("p")]).toEqual([
      ...[undefined, "/srv/a.db.pid", "/run/p", "/srv/p"],
    ]);
  });
});

function sorted(value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.entries(value)
    .map(([name, one]) => [name, sorted(one)] as const)
    .sort(([one], [other]) => (one < other ? -1 : 1));
}
