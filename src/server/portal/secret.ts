import { randomBytes } from "node:crypto";
import { existsSync, readFileSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { isAbsolute, join } from "node:path";
import { GatewayError } from "../../engine/errors.ts";
import type { Terminal } from "../terminal/terminal.ts";

/** The secret that a store's secrets are encrypted with, and those that they may still be encrypted with. */
export interface StoreSecrets {
  readonly secret: string;
  /** Of before a rotation, newest first; they only decrypt. */
  readonly previousSecrets: readonly string[];
}

/** What secrets are read from. */
type SecretSource = Pick<Terminal, "env" | "folder">;

/**
 * Returns the encryption secrets of a store: `TOLLGATE_SECRET` and `TOLLGATE_SECRET_PREVIOUS`, or the lines of a file next to the store,
 * the present one first. The first start creates that file; only its owner may read it (portal-resolved.md, section 6). A database
 * requires `TOLLGATE_SECRET`, since its gateways share no file.
 */
export function readSecrets(source: SecretSource, storeFile: string | undefined): StoreSecrets {
  const { env } = source;
  const before = env.TOLLGATE_SECRET_PREVIOUS?.trim();
  const previous = before ? [longEnough(before, "TOLLGATE_SECRET_PREVIOUS", "Give it the secret of before")] : [];
  const provided = env.TOLLGATE_SECRET?.trim();
  if (provided) {
    const secret = longEnough(provided, "TOLLGATE_SECRET", "Use the output of `openssl rand -hex 32`");
    return { secret, previousSecrets: previous };
  }
  if (storeFile === undefined) throw noSecret();
  const file = secretFileOf(source, storeFile);
  const [secret, ...rest] = readOwnFile(file) ?? makeFile(file);
  return { secret, previousSecrets: [...rest, ...previous] };
}

/** The file of a store's secrets. One store, one file, by whatever symbolic link the store was named. */
export function secretFileOf({ folder }: Pick<SecretSource, "folder">, storeFile: string): string {
  const store = isAbsolute(storeFile) ? storeFile : join(folder, storeFile);
  return `${existsSync(store) ? realpathSync(store) : store}.secret`;
}

/**
 * Puts a new secret in front of the present one in a store's file, unless a rotation is under way already: then the file has both. The
 * file is replaced as a whole, so that a crash leaves the one or the other.
 */
export function addSecret(file: string): void {
  const present = readOwnFile(file) ?? makeFile(file);
  if (present.length === 1) replaceFile(file, [newSecret(), ...present]);
}

/** Removes all but the present secret from a store's file. */
export function dropPreviousSecrets(file: string): void {
  const [secret] = readOwnFile(file) ?? [];
  if (secret !== undefined) replaceFile(file, [secret]);
}

/** The present secret, then those of before. */
type SecretLines = readonly [string, ...string[]];

function noSecret(): GatewayError {
  const message =
    "The secrets of a store in a database are encrypted under TOLLGATE_SECRET, which is not set. " +
    "Give all that use the store the same one, e.g. the output of `openssl rand -hex 32`, and keep it: without it they are lost.";
  return new GatewayError("invalid_configuration", message, { param: "secret" });
}

function readOwnFile(file: string): SecretLines | undefined {
  const found = statSync(file, { throwIfNoEntry: false });
  if (!found) return undefined;
  if (process.platform !== "win32" && (found.mode & 0o077) !== 0) {
    const message = `${file} is readable by other users: run chmod 600 on it and treat its secrets as exposed.`;
    throw new GatewayError("invalid_configuration", message, { param: "secret" });
  }
  const [first = "", ...rest] = readText(file).split(/\s*\n\s*/);
  const check = (line: string) =>
    longEnough(line, file, "Restore its content, or remove the file if it never held a secret");
  return [check(first), ...rest.map(check)];
}

function readText(file: string): string {
  try {
    return readFileSync(file, "utf8").trim();
  } catch (thrown) {
    const { code } = thrown as NodeJS.ErrnoException; // seam: what node:fs throws
    const message = `The secret ${file} cannot be read: ${code}. Give it to the user who runs this, or set TOLLGATE_SECRET.`;
    throw new GatewayError("invalid_configuration", message, { param: "secret", cause: thrown });
  }
}

/** Checks the minimum length of a secret and names its source in the error. A crash may leave an empty file. */
function longEnough(secret: string, source: string, advice: string): string {
  if (secret.length >= 16) return secret;
  const message = `${source} is too short: a secret needs at least 16 characters. ${advice}.`;
  throw new GatewayError("invalid_configuration", message, { param: "secret" });
}

function newSecret(): string {
  return randomBytes(32).toString("hex");
}

/** Two processes may run this at the same time: the one that creates the file wins. */
function makeFile(file: string): SecretLines {
  const secret = newSecret();
  try {
    writeFileSync(file, `${secret}\n`, { mode: 0o600, flag: "wx" });
    return [secret];
  } catch (cause) {
    const created = readOwnFile(file);
    if (created !== undefined) return created;
    throw unwritable(file, cause);
  }
}

function replaceFile(file: string, lines: readonly string[]): void {
  const part = `${file}.part`;
  try {
    rmSync(part, { force: true }); // of a process that died
    writeFileSync(part, `${lines.join("\n")}\n`, { mode: 0o600, flag: "wx", flush: true });
    renameSync(part, file);
  } catch (cause) {
    throw unwritable(file, cause);
  }
}

function unwritable(file: string, cause: unknown): GatewayError {
  const message = `The secret cannot be written to ${file}; set TOLLGATE_SECRET instead.`;
  return new GatewayError("invalid_configuration", message, { param: "secret", cause });
}
