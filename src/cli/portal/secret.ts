import { randomBytes } from "node:crypto";
import { existsSync, readFileSync, realpathSync, statSync, writeFileSync } from "node:fs";
import { isAbsolute, join } from "node:path";
import { GatewayError } from "../../errors.ts";
import type { Terminal } from "../terminal.ts";

/**
 * What the secrets of a store are encrypted under: `TOLLGATE_SECRET`, or else the file beside the store, which only its owner may read and
 * which is made at the first start (portal-resolved.md, section 6).
 */
export function readSecret({ env, folder }: Pick<Terminal, "env" | "folder">, storeFile: string): string {
  const given = env.TOLLGATE_SECRET?.trim();
  if (given) return given;
  const store = isAbsolute(storeFile) ? storeFile : join(folder, storeFile);
  // One store, one secret, by whatever symbolic link it was named.
  const file = `${existsSync(store) ? realpathSync(store) : store}.secret`;
  return readOwnFile(file) ?? makeFile(file);
}

function readOwnFile(file: string): string | undefined {
  const found = statSync(file, { throwIfNoEntry: false });
  if (!found) return undefined;
  if (process.platform !== "win32" && (found.mode & 0o077) !== 0) {
    const message = `${file} can be read by others than its owner: chmod 600 it, and think of the secrets as known.`;
    throw new GatewayError("invalid_configuration", message, { param: "secret" });
  }
  return readFileSync(file, "utf8").trim();
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
