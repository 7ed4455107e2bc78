import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { consoleFiles } from "../../../src/http/console/index.ts";
import { createListener } from "../../../src/index.ts";
import { engineDouble } from "../../http/support/engine-double.ts";
import { serve } from "../../http/support/server.ts";
import { openBrowser, openPage } from "./browser.ts";
import { findBarriers, photograph } from "./checks.ts";

let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => browser.close());

describe("the page", () => {
  it.each(["", "/ai", "/a/b"])("loads all that it needs when it is mounted at %s/console", async (prefix) => {
    await using server = await serve(createListener({ engine: engineDouble({}), prefix, console: consoleFiles() }));
    const { page, faults, close } = await openPage(browser);
    const failed: string[] = [];
    page.on("response", (answer) => {
      const path = new URL(answer.url()).pathname;
      if (answer.status() >= 400 && path.includes("/console/assets/")) failed.push(path);
    });
    await page.goto(`${server.url}${prefix}/console/ai/requests`);
    await page.getByRole("button", { name: "Sign in" }).waitFor();
    expect(await page.evaluate("document.baseURI")).toBe(`${server.url}${prefix}/console/`);
    expect({ failed, faults }).toEqual({ failed: [], faults: [] });
    await close();
  });

  it.each(["light", "dark"] as const)(
    "of somebody who is not signed in has no barriers in %s colours",
    async (colors) => {
      await using server = await serve(createListener({ engine: engineDouble({}), console: consoleFiles() }));
      const { page, faults, close } = await openPage(browser, { colors });
      await page.goto(`${server.url}/console/`);
      await page.getByRole("button", { name: "Sign in" }).waitFor();
      await photograph(page, `sign-in-${colors}`);
      expect({ barriers: await findBarriers(page), faults }).toEqual({ barriers: [], faults: [] });
      await close();
    },
  );

  it("speaks the browser's language", async () => {
    await using server = await serve(createListener({ engine: engineDouble({}), console: consoleFiles() }));
    const { page, close } = await openPage(browser, { locale: "de-DE" });
    await page.goto(`${server.url}/console/`);
    await page.getByRole("button", { name: "Anmelden" }).waitFor();
    expect(await page.evaluate("document.documentElement.lang")).toBe("de");
    await close();
  });
});

describe("the size, compressed", () => {
  const { folder, manifest } = consoleFiles();
  const packedSize = (path: string, coding = "gz") => statSync(join(folder, `${path}.${coding}`)).size;
  const read = (path: string) => gunzipSync(readFileSync(join(folder, `${path}.gz`))).toString("utf8");
  const paths = manifest.map(({ path }) => path);
  const sum = (files: readonly string[], coding?: string) =>
    files.reduce((total, path) => total + packedSize(path, coding), 0);
  const page = [...read("index.html").matchAll(/(?:src|href)="\.\/(assets\/[^"]+)"/g)].map(([, path = ""]) => path);

  /** A script with all that it loads at once. */
  function withImports(path: string, known = new Set<string>()): Set<string> {
    if (known.has(path)) return known;
    known.add(path);
    for (const [, name = ""] of read(path).matchAll(/(?:from|import)\s*"\.\/([^"]+\.js)"/g))
      withImports(`assets/${name}`, known);
    return known;
  }

  const scripts = [...new Set(page.filter((path) => path.endsWith(".js")).flatMap((path) => [...withImports(path)]))];

  it("of the scripts of the sign-in page is at most 45 kB, and of the styles 18 kB", () => {
    expect(scripts.length).toBeGreaterThan(1);
    expect(sum(scripts)).toBeLessThan(45_000);
    expect(sum(paths.filter((path) => path.endsWith(".css")))).toBeLessThan(18_000);
  });

  it.each(["overview", "requests", "keys", "playground", "dashboard"])(
    "of all scripts up to the screen of %s is at most 90 kB, and of its own 25 kB",
    (name) => {
      const screen = paths.find((path) => path.startsWith(`assets/${name}-`) && path.endsWith(".js")) ?? "";
      const own = [...withImports(screen)].filter((path) => !scripts.includes(path));
      expect(sum([...scripts, ...own])).toBeLessThan(90_000);
      expect(packedSize(screen)).toBeLessThan(25_000);
    },
  );

  it("of the whole folder is at most 250 kB", () => {
    expect(paths.length).toBeGreaterThan(10);
    expect(sum(paths, "br")).toBeLessThan(250_000);
  });
});
