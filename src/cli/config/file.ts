import { access, readFile } from "node:fs/promises";
import { extname, isAbsolute, join } from "node:path";
import { pathToFileURL } from "node:url";
import { GatewayError, isGatewayError } from "../../errors.ts";

/** What a configuration file holds, not yet looked at. */
export interface ConfigFile {
  /** As messages name it: relative to the working folder where it was found there. */
  readonly name: string;
  readonly value: unknown;
}

type Read = (path: string, name: string) => Promise<unknown>;

const readers: Readonly<Record<string, Read>> = {
  ".ts": importTypeScript,
  ".mts": importTypeScript,
  ".js": importModule,
  ".mjs": importModule,
  ".json": readJson,
  ".yaml": readYaml,
  ".yml": readYaml,
};

/** The names under which a configuration is found without being asked for. */
export const fileNames = Object.keys(readers).map((ending) => `tollgate.config${ending}`);

/**
 * Reads the asked file, or the one `tollgate.config.*` of the folder; `undefined` when nobody asked and there is none. Throws
 * `invalid_configuration` when it cannot be read or when there are two. Messages quote no line of the file: it may hold secrets.
 */
export async function readConfigFile(folder: string, asked: string | undefined): Promise<ConfigFile | undefined> {
  const name = asked ?? (await findFile(folder));
  if (name === undefined) return undefined;
  const path = isAbsolute(name) ? name : join(folder, name);
  const read = readers[extname(path)];
  if (read === undefined) throw unreadable(name, `has no ending of ${Object.keys(readers).join(", ")}`);
  if (!(await exists(path))) throw unreadable(name, "is not there");
  return { name, value: await read(path, name) };
}

async function findFile(folder: string): Promise<string | undefined> {
  const found: string[] = [];
  for (const name of fileNames) if (await exists(join(folder, name))) found.push(name);
  if (found.length < 2) return found[0];
  throw unreadable(found.join(" and "), "are both there: keep one, or choose it with --config");
}

function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

async function importTypeScript(path: string, name: string): Promise<unknown> {
  if (!process.features.typescript) {
    const problem = `needs Node.js 22.18 or newer to be read (this is ${process.versions.node}); or write it as .js, .json or .yaml`;
    throw unreadable(name, problem);
  }
  return importModule(path, name);
}

async function importModule(path: string, name: string): Promise<unknown> {
  const module: Record<string, unknown> = await import(pathToFileURL(path).href).catch((thrown: unknown) => {
    throw isGatewayError(thrown) ? unreadable(name, `fails: ${thrown.message}`) : notLoaded(name, thrown);
  });
  if (module.default === undefined) throw unreadable(name, "has no default export");
  return module.default;
}

function notLoaded(name: string, thrown: unknown): GatewayError {
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  const missing = /^Cannot find package '(tollgate)' /.exec(message);
  if (missing === null) return unreadable(name, `fails: ${message.split("\n")[0]}`, thrown);
  return unreadable(name, `imports tollgate, which is not installed beside it: run npm install tollgate there`, thrown);
}

async function readJson(path: string, name: string): Promise<unknown> {
  const text = await readText(path, name);
  try {
    return JSON.parse(text);
  } catch {
    const position = await findFault(text);
    throw unreadable(name, `is not valid JSON${position ?? " (comments and trailing commas are not allowed)"}`);
  }
}

async function readYaml(path: string, name: string): Promise<unknown> {
  const text = await readText(path, name);
  const { parseDocument } = await import("yaml");
  const position = await findFault(text);
  if (position !== undefined) throw unreadable(name, `is not valid YAML${position}`);
  try {
    return parseDocument(text, { logLevel: "silent" }).toJS({ maxAliasCount: 100 });
  } catch (thrown) {
    throw unreadable(name, "is not valid YAML: an alias leads nowhere or to too much", thrown);
  }
}

/** Where a text breaks the rules of YAML, of which JSON is a part. The words of the parser quote the line, so they stay here. */
async function findFault(text: string): Promise<string | undefined> {
  const { LineCounter, parseDocument } = await import("yaml");
  const lines = new LineCounter();
  const [error] = parseDocument(text, { lineCounter: lines, prettyErrors: false, logLevel: "silent" }).errors;
  if (error === undefined) return undefined;
  const { line, col } = lines.linePos(error.pos[0]);
  return ` at line ${line}, column ${col}`;
}

function readText(path: string, name: string): Promise<string> {
  return readFile(path, "utf8").catch((thrown: NodeJS.ErrnoException) => {
    throw unreadable(name, `cannot be read: ${thrown.code ?? "unknown"}`, thrown);
  });
}

function unreadable(name: string, problem: string, cause?: unknown): GatewayError {
  return new GatewayError("invalid_configuration", `${name} ${problem}.`, {
    cause,
  });
}
