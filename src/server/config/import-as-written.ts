import { readFileSync } from "node:fs";
import nodeModule, { type LoadHookContext, type LoadHookSync } from "node:module";
import { fileURLToPath } from "node:url";

/** What Node takes a file for, and what it is once it is read as a module. */
const asModule: Readonly<Record<string, string>> = { commonjs: "module", "commonjs-typescript": "module-typescript" };

/** A line that only a module may have. */
const moduleLine = /^\s*(import\s*["'{*\w]|export\s+(default|const|let|function|async|class|type|interface|\{|\*))/m;

/**
 * Imports a module. It and what it imports from its own folder are read as they are written, whatever `type` their package.json says:
 * `npm init` writes `commonjs`, and a configuration is a module none the less.
 */
export async function importAsWritten(address: URL): Promise<Record<string, unknown>> {
  const folder = new URL(".", address).href;
  const isOwn = (url: string) => url.startsWith(folder) && !url.slice(folder.length).includes("node_modules/");
  const load: LoadHookSync = (url, context, next) => next(url, isOwn(url) ? correct(url, context) : context);
  const hooks = nodeModule.registerHooks?.({ load }); // Node 22.13 and 22.14 have none
  try {
    return await import(address.href);
  } finally {
    hooks?.deregister();
  }
}

function correct(url: string, context: LoadHookContext): LoadHookContext {
  const format = context.format === null || context.format === undefined ? undefined : asModule[context.format];
  if (format === undefined || !moduleLine.test(readFileSync(fileURLToPath(url), "utf8"))) return context;
  return { ...context, format };
}
