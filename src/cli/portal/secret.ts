import { randomBytes } from "node:crypto";
import { existsSync, readFileSync, realpathSync, statSync, writeFileSync } from "node:fs";
import { isAbsolute, join } from "node:path";
import { GatewayError } from "../../errors.ts";
import type { Terminal } from "../terminal.ts";

/**
 * What the secrets of a store are encrypted under: `TOLLGATE_SECRET`, or else the file beside the store, which only its owner may read and
 * which is made at the first start (portal-resolved.md, section 6). A database has no file beside it that all its gateways could read.
 */
export function readSecret(terminal: Pick<Terminal, "env" | "folder">, storeFile: string | undefined): string {
  const { env, folder } = terminal;
  const given = env.TOLLGATE_SECRET?.trim();
  if (given) return longEnough(given, "TOLLGATE_SECRET", "Take the output of `openssl rand -hex 32`");
  if (storeFile === undefined) throw noSecret();
  const store = isAbsolute(storeFile) ? storeFile : join(folder, storeFile);
  // One store, one secret, by whatever symbolic link it was named.
  const file = `${existsSync(store) ? realpathSync(store) : store}.secret`;
  return readOwnFile(file) ?? makeFile(file);
}

function noSecret(): GatewayError {
  const message =
    "The secrets of a store in a database are encrypted under TOLLGATE_SECRET, which is not set. " +
    "Give all that use the store the same one, e.g. the output of `openssl rand -hex 32`, and keep it: without it they are lost.";
  return new GatewayError("invalid_configuration", message, { param: "secret" });
}

function readOwnFile(file: string): string | undefined {
  const found = statSync(file, { throwIfNoEntry: false });
  if (!found) return undefined;
  if (process.platform !== "win32" && (found.mode & 0o077) !== 0) {
    const message = `${file} can be read by others than its owner: chmod 600 it, and think of the secrets as known.`;
    throw new GatewayError("invalid_configuration", message, { param: "secret" });
  }
  return longEnough(readText(file), file, "Put back what it held; if it never held one, remove it");
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

/** The bound of the portal's own option, told by where the secret stands; a death of the process may leave an empty file. */
function longEnough(secret: string, source: string, advice: string): string {
  if (secret.length >= 16) return secret;
  const message = `${source} is too short for a secret, which has 16 characters at least. ${advice}.`;
  throw new GatewayError("invalid_configuration", message, { param: "secret" });
}

/** Two processes may come here at once: the one that makes the file decides. */
function makeFile(file: string): string {
  const secret = randomBytes(32).toString("hex");
  try {
    writeFileSync(file, `${secret}\n`, { mode: 0o600, flag: "wx" });
    return secret;
  } catch (cause) {
    const made = readOwnFile(file);
    if (made !== undefined) return made;
    const message = `The secret cannot be written to ${file}; set TOLLGATE_SECRET instead.`;
    throw new GatewayError("invalid_configuration", message, { param: "secret", cause });
  }
}
