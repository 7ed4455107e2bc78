import type { Stats } from "node:fs";
import { lstat, readFile, stat } from "node:fs/promises";
import { extname, isAbsolute, join } from "node:path";
import { pathToFileURL } from "node:url";
import type { ErrorCode, YAMLParseError } from "yaml";
import { GatewayError, isGatewayError } from "../../errors.ts";
import { findTwice } from "./twice.ts";

/** What a configuration file holds, not yet looked at. */
export interface ConfigFile {
  /** As messages name it: relative to the working folder where it was found there. */
  readonly name: string;
  readonly value: unknown;
}

type Read = (path: string, name: string, terms: ReadTerms) => Promise<unknown>;

/** What is made of a file. */
interface ReadTerms {
  /** Of a name that an object of JSON has twice the last one counts: tables of prices by others are so. */
  readonly mayRepeat?: boolean;
}

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
export async function readConfigFile(
  folder: string,
  asked: string | undefined,
  terms: ReadTerms = {},
): Promise<ConfigFile | undefined> {
  const name = asked ?? (await findFile(folder));
  if (name === undefined) return undefined;
  const path = isAbsolute(name) ? name : join(folder, name);
  const read = readers[extname(path)];
  if (read === undefined) throw unreadable(name, `has no ending of ${Object.keys(readers).join(", ")}`);
  const lack = await findLack(path);
  if (lack !== undefined) throw unreadable(name, lack);
  return { name, value: await read(path, name, terms) };
}

async function findFile(folder: string): Promise<string | undefined> {
  const found: string[] = [];
  for (const name of fileNames) if (await isNamed(join(folder, name))) found.push(name);
  if (found.length < 2) return found[0];
  throw unreadable(found.join(" and "), "are both there: keep one, or choose it with --config");
}

/** Whether a folder has something of that name, be it a link whose file is gone: that is a configuration, too, and not to be left aside. */
function isNamed(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}

/** Why a file cannot even be looked at, if so. */
function findLack(path: string): Promise<string | undefined> {
  return stat(path).then(lackOf, async ({ code }: NodeJS.ErrnoException) => {
    if (code !== "ENOENT") return `cannot be read: ${code ?? "unknown"}`;
    return (await isNamed(path)) ? "is a symbolic link to a file that is not there" : "is not there";
  });
}

/** A pipe would be waited for until somebody writes into it, and a device may have no end. */
function lackOf(found: Stats): string | undefined {
  if (found.isFile()) return undefined;
  if (found.isDirectory()) return "is a folder";
  const kind = found.isFIFO() ? "a named pipe" : found.isSocket() ? "a socket" : "a device";
  return `is ${kind}: name a file`;
}

async function importTypeScript(path: string, name: string): Promise<unknown> {
  if (!process.features.typescript) {
    const problem = `needs Node.js 22.18 or newer to be read (this is ${process.versions.node}); or write it as .js, .json or .yaml`;
    throw unreadable(name, problem);
  }
  return importModule(path, name);
}

async function importModule(path: string, name: string): Promise<unknown> {
  const loading: Promise<Record<string, unknown>> = import(pathToFileURL(path).href);
  const loaded = loading.catch((thrown: unknown) => {
    throw isGatewayError(thrown) ? unreadable(name, `fails: ${thrown.message}`) : notLoaded(name, thrown);
  });
  const module = await untilNothingIsLeft(loaded, name);
  if (module.default === undefined) throw unreadable(name, "has no default export");
  return module.default;
}

/** A module that awaits what never comes: Node ends when nothing else is left to do, and would not say which file it was. */
async function untilNothingIsLeft<Module>(loaded: Promise<Module>, name: string): Promise<Module> {
  let refuse = () => {};
  const nothingLeft = new Promise<never>((_, reject) => {
    refuse = () => reject(unreadable(name, "awaits something that never comes"));
  });
  process.once("beforeExit", refuse);
  try {
    return await Promise.race([loaded, nothingLeft]);
  } finally {
    process.off("beforeExit", refuse);
  }
}

function notLoaded(name: string, thrown: unknown): GatewayError {
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  const missing = /^Cannot find package '(tollgate)' /.exec(message);
  if (missing === null) return unreadable(name, `fails: ${message.split("\n")[0]}`, thrown);
  return unreadable(name, `imports tollgate, which is not installed beside it: run npm install tollgate there`, thrown);
}

async function readJson(path: string, name: string, { mayRepeat = false }: ReadTerms): Promise<unknown> {
  const text = await readText(path, name);
  if (text.trim() === "") throw unreadable(name, "is empty; a configuration without settings is {}");
  const value = await parseJson(text, name);
  const twice = mayRepeat ? undefined : findTwice(text);
  if (twice !== undefined) throw unreadable(name, describe({ code: "DUPLICATE_KEY", ...twice }));
  return value;
}

async function parseJson(text: string, name: string): Promise<unknown> {
  try {
    return JSON.parse(text);
  } catch {
    const fault = await findFault(text);
    const place = fault && `at line ${fault.line}, column ${fault.col}`;
    throw unreadable(name, `is not valid JSON ${place ?? "(comments and trailing commas are not allowed)"}`);
  }
}

async function readYaml(path: string, name: string): Promise<unknown> {
  const text = await readText(path, name);
  const { parseDocument } = await import("yaml");
  const fault = await findFault(text);
  if (fault !== undefined) throw unreadable(name, describe(fault));
  try {
    return parseDocument(text, { logLevel: "error" }).toJS({ maxAliasCount: 100 });
  } catch (thrown) {
    throw unreadable(name, "is not valid YAML: an alias leads nowhere or to too much", thrown);
  }
}

/** Where a text breaks the rules of YAML, and which. */
interface Fault {
  readonly code: ErrorCode;
  readonly line: number;
  readonly col: number;
}

/** The first fault of a text as YAML, of which JSON is a part. The words of the parser quote the line, so they stay here. */
async function findFault(text: string): Promise<Fault | undefined> {
  const { LineCounter, parseDocument } = await import("yaml");
  const lines = new LineCounter();
  const { errors } = parseDocument(text, { lineCounter: lines, prettyErrors: false, logLevel: "error" });
  const [error]: YAMLParseError[] = errors;
  return error && { code: error.code, ...lines.linePos(error.pos[0]) };
}

function describe({ code, line, col }: Fault): string {
  const place = `at line ${line}, column ${col}`;
  if (code === "DUPLICATE_KEY") return `has a name a second time ${place}`;
  if (code === "MULTIPLE_DOCS") return `begins a second document ${place}: one file is one document`;
  return `is not valid YAML ${place}`;
}

/** The text of a file without a mark of its encoding; what is not UTF-8 would be read as other settings than were written. */
async function readText(path: string, name: string): Promise<string> {
  const bytes = await readFile(path).catch((thrown: NodeJS.ErrnoException) => {
    throw unreadable(name, `cannot be read: ${thrown.code ?? "unknown"}`, thrown);
  });
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (thrown) {
    throw unreadable(name, "is not UTF-8: save it in that encoding", thrown);
  }
}

function unreadable(name: string, problem: string, cause?: unknown): GatewayError {
  return new GatewayError("invalid_configuration", `${name} ${problem}.`, {
    cause,
  });
}
