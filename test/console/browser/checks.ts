import { copyFileSync, mkdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { AxeResults } from "axe-core";
import type { Page } from "playwright-core";

const axeSource = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** What axe-core finds on the page that is serious or critical: rule, and the first element. */
export async function findBarriers(page: Page): Promise<string[]> {
  // Evaluated by the debugger, which the page's policy does not concern.
  await page.evaluate(axeSource);
  const { violations } = await page.evaluate(() =>
    (globalThis as unknown as { axe: { run(): Promise<AxeResults> } }).axe.run(),
  );
  return violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .map(
      ({ id, nodes }) =>
        `${id}: ${nodes
          .map(({ html }) => html.slice(0, 160))
          .slice(0, 3)
          .join(" | ")}`,
    );
}

const folder = fileURLToPath(new URL("../../../.cache/console/", import.meta.url));
const documentation = fileURLToPath(new URL("../../../docs/pictures/", import.meta.url));

/** The pictures of docs/console.md and of the README. */
const documented = new Set(["overview-light", "request-bill", "costs-dark", "key", "playground"]);

/** Stores a picture of the page in `.cache/console`, for people. With `PICTURES=1` those of the documentation are made anew. */
export async function photograph(page: Page, name: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const path = join(folder, `${name}.png`);
  await page.screenshot({ path });
  if (process.env.PICTURES === "1" && documented.has(name))
    copyFileSync(path, join(documentation, `console-${name}.png`));
}
