import { writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import { isDatabase } from "../../server/config/address.ts";
import { demoReseller } from "./tenants.ts";

/** The vendors' models that are stood in for. */
const models = {
  openai: ["gpt-5-mini", "gpt-5", "gpt-5-nano"],
  anthropic: ["claude-haiku-4-5", "claude-sonnet-4-5"],
} as const;

/** What the demo is served with: two vendors that echo, at their list prices, and what the reseller adds to the cost. */
const settings = {
  providers: Object.fromEntries(Object.entries(models).map(([name, list]) => [name, { kind: "local", models: list }])),
  uplift: { [demoReseller]: [{ provider: "openai", percent: 15 }, { percent: 10 }] },
};

/** Where the configuration of a demo goes. */
interface DemoFiles {
  /** The folder that the command runs in. */
  readonly folder: string;
  /** The choice of the store: a file, or the address of a database. */
  readonly store: string;
}

/**
 * Writes the configuration of the demo next to its store, `demo.db` → `demo.json`, and returns its name; for a database, in the folder of
 * the command. A file that is there is left as it is.
 */
export async function writeDemoConfig({ folder, store }: DemoFiles): Promise<string> {
  const name = isDatabase(store) ? "tollgate-demo.json" : `${store.replace(/\.(db|sqlite3?)$/, "")}.json`;
  const path = resolve(folder, name);
  await writeFile(path, `${JSON.stringify(settings, null, 2)}\n`, { flag: "wx" }).catch((thrown: unknown) => {
    if ((thrown as NodeJS.ErrnoException).code !== "EEXIST") throw thrown;
  });
  return name;
}
