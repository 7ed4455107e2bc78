import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { expect, it, onTestFinished } from "vitest";
import { createDescriptorWarning, readDescriptors } from "../../../src/server/telemetry/descriptors.ts";

/** A folder like `/proc/self`. */
function processFolder(limit: string, open: number): string {
  const folder = mkdtempSync(join(tmpdir(), "tollgate-proc-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  mkdirSync(join(folder, "fd"));
  for (let fd = 0; fd < open; fd++) writeFileSync(join(folder, "fd", String(fd)), "");
  const lines = ["Limit                     Soft Limit           Hard Limit           Units     "];
  lines.push("Max processes             unlimited            unlimited            processes ", limit);
  writeFileSync(join(folder, "limits"), lines.join("\n"));
  return folder;
}

it("the limit is the soft one, and what is open is counted", async () => {
  const folder = processFolder("Max open files            1024                 1048576              files     ", 7);
  expect(await readDescriptors(folder)).toEqual({ open: 7, limit: 1024 });
});

it("without a limit none is near, and without /proc nothing is known", async () => {
  const folder = processFolder("Max open files            unlimited            unlimited            files     ", 3);
  const descriptors = await readDescriptors(folder);
  expect(descriptors).toEqual({ open: 3, limit: Number.POSITIVE_INFINITY });
  expect(createDescriptorWarning()(descriptors)).toBeUndefined();
  expect(await readDescriptors("/nowhere")).toBeUndefined();
  expect(createDescriptorWarning()(undefined)).toBeUndefined();
});

it("a warning comes at four fifths of the limit, once until there is room again", () => {
  const warningOf = createDescriptorWarning();
  const isWarned = (open: number) => warningOf({ open, limit: 100 }) !== undefined;
  expect([79, 80, 99, 71, 90, 69, 80].map(isWarned)).toEqual([false, true, false, false, false, false, true]);
  expect(createDescriptorWarning()({ open: 950, limit: 1024 })).toMatch(/^950 of 1024 file descriptors are open/);
});

it("two warnings always have room between them", () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 100 })), (counts) => {
      const warningOf = createDescriptorWarning();
      let hadRoom = true;
      for (const open of counts) {
        if (open < 70) hadRoom = true;
        if (warningOf({ open, limit: 100 }) === undefined) continue;
        expect(hadRoom && open >= 80).toBe(true);
        hadRoom = false;
      }
    }),
  );
});
