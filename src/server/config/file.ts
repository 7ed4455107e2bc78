import type { Stats } from "node:fs";
import { lstat, readFile, stat } from "node:fs/promises";
import { extname, isAbsolute, join } from "node:path";
import { pathToFileURL } from "node:url";
import type { ErrorCode, YAMLParseError } from "yaml";
import { GatewayError, isGatewayError } from "../../engine/errors.ts";
import { importAsWritten } from "./import-as-written.ts";

/** A text of JSON, with the colon that makes it a name, or a brace; braces inside texts are part of those. */
const token = /"[^"\\]*(?:\\.[^"\\]*)*"(\s*:)?|[{}]/gs;

/** Where in valid JSON an object has a name for the second time; `JSON.parse` would leave the first one aside. */
function findDuplicateKey(text: string): { readonly line: number; readonly col: number } | undefined {
  const objects: Set<string>[] = [];
  for (const { 0: found, 1: colon, index } of text.matchAll(token)) {
    if (found === "{") objects.push(new Set());
    if (found === "}") objects.pop();
    if (colon === undefined) continue;
    const name: string = JSON.parse(found.slice(0, -colon.length));
    const names = objects.at(-1);
    if (names?.has(name)) return scopeOf(text, index);
    names?.add(name);
  }
  return undefined;
}

function scopeOf(text: string, index: number) {
  const before = text.slice(0, index).split("\n");
  return { line: before.length, col: (before.at(-1)?.length ?? 0) + 1 };
}

/** What a configuration file holds, not yet looked at. */
export interface ConfigFile {
  /** As messages name it: relative to the working folder where it was found there. */
  readonly name: string;
  readonly value: unknown;
}

type FileReader = (path: string, name: string, options: FileReadOptions) => Promise<unknown>;

/** How a configuration file is read. */
interface FileReadOptions {
  /** Accepts duplicate names in a JSON object, of which the last one counts; published price tables contain some. */
  readonly mayRepeat?: boolean;
  /** Evaluates a module again that was imported before; what it imports itself stays as it was. */
  readonly isFresh?: boolean;
}

const readers: Readonly<Record<string, FileReader>> = {
  ".ts": importTypeScript,
  ".mts": importTypeScript,
  ".js": importModule,
  ".mjs": importModule,
  ".json": readJson,
  ".yaml": readYaml,
  ".yml": readYaml,
};

/** Modules that were evaluated again; Node tells them apart by their addresses. */
let freshReads = 0;

/** The file names that are searched when no file is named. */
export const fileNames = Object.keys(readers).map((ending) => `tollgate.config${ending}`);

/**
 * Reads the named file, or `tollgate.config.*` in the folder; returns `undefined` if no file is named and none exists. Throws
 * `invalid_configuration` if the file cannot be read or if there are two. Messages quote no line of the file, since it may contain
 * secrets.
 */
export async function readConfigFile(
  folder: string,
  requested: string | undefined,
  options: FileReadOptions = {},
): Promise<ConfigFile | undefined> {
  const name = requested ?? (await findFile(folder));
  if (name === undefined) return undefined;
  const path = isAbsolute(name) ? name : join(folder, name);
  const read = readers[extname(path)];
  if (read === undefined) throw unreadable(name, `has no ending of ${Object.keys(readers).join(", ")}`);
  const lack = await findLack(path);
  if (lack !== undefined) throw unreadable(name, lack);
  return { name, value: await read(path, name, options) };
}

async function findFile(folder: string): Promise<string | undefined> {
  const found: string[] = [];
  for (const name of fileNames) if (await isNamed(join(folder, name))) found.push(name);
  if (found.length < 2) return found[0];
  throw unreadable(found.join(" and "), "are both there: keep one, or choose it with --config");
}

/** Returns whether the folder has an entry of this name. A dangling link counts: it must fail, not be ignored. */
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

async function importTypeScript(path: string, name: string, options: FileReadOptions): Promise<unknown> {
  if (!process.features.typescript) {
    const problem = `needs Node.js 22.18 or newer to be read (this is ${process.versions.node}); or write it as .js, .json or .yaml`;
    throw unreadable(name, problem);
  }
  return importModule(path, name, options);
}

async function importModule(path: string, name: string, { isFresh = false }: FileReadOptions): Promise<unknown> {
  const address = pathToFileURL(path);
  if (isFresh) address.searchParams.set("read", String(++freshReads));
  const loaded = importAsWritten(address).catch((thrown: unknown) => {
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
  return unreadable(
    name,
    `imports tollgate, which is not installed in its folder: run npm install tollgate there`,
    thrown,
  );
}

async function readJson(path: string, name: string, { mayRepeat = false }: FileReadOptions): Promise<unknown> {
  const text = await readText(path, name);
  if (text.trim() === "") throw unreadable(name, "is empty; a configuration without settings is {}");
  const value = await parseJson(text, name);
  const twice = mayRepeat ? undefined : findDuplicateKey(text);
  if (twice !== undefined) throw unreadable(name, describe({ code: "DUPLICATE_KEY", ...twice }));
  return value;
}

async function parseJson(text: string, name: string): Promise<unknown> {
  try {
    return JSON.parse(text);
  } catch {
    const fault = await findFault(text);
    const position = fault && `at line ${fault.line}, column ${fault.col}`;
    throw unreadable(name, `is not valid JSON ${position ?? "(comments and trailing commas are not allowed)"}`);
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
interface YamlFault {
  readonly code: ErrorCode;
  readonly line: number;
  readonly col: number;
}

/** The first fault of a text as YAML, of which JSON is a part. The words of the parser quote the line, so they stay here. */
async function findFault(text: string): Promise<YamlFault | undefined> {
  const { LineCounter, parseDocument } = await import("yaml");
  const lines = new LineCounter();
  const { errors } = parseDocument(text, { lineCounter: lines, prettyErrors: false, logLevel: "error" });
  const [error]: YAMLParseError[] = errors;
  return error && { code: error.code, ...lines.linePos(error.pos[0]) };
}

function describe({ code, line, col }: YamlFault): string {
  const position = `at line ${line}, column ${col}`;
  if (code === "DUPLICATE_KEY") return `has a name a second time ${position}`;
  if (code === "MULTIPLE_DOCS") return `begins a second document ${position}: one file is one document`;
  return `is not valid YAML ${position}`;
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
