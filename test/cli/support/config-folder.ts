import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished } from "vitest";
import { type GatewayError, isGatewayError } from "../../../src/engine/errors.ts";
import { type Gathered, gather } from "../../../src/server/gather.ts";
import type { Environment } from "../../../src/server/terminal/terminal.ts";

let folder = "";

/** The folder of the present test. */
export function ownFolder(): string {
  if (folder !== "") return folder;
  folder = mkdtempSync(join(tmpdir(), "tollgate-config-"));
  onTestFinished(() => {
    rmSync(folder, { recursive: true, force: true });
    folder = "";
  });
  return folder;
}

/** Reads the file of that name, or the one that is found. */
export function read(env: Environment = {}, file?: string): Promise<Gathered> {
  return gather({ env, folder: ownFolder(), file, probe: async () => undefined });
}

/** Puts a file into the folder of the test. */
export function write(name: string, text: string | Uint8Array): void {
  writeFileSync(join(ownFolder(), name), text);
}

/** Reads a configuration file of that text. */
export function readText(text: string, name = "tollgate.config.yaml", env: Environment = {}): Promise<Gathered> {
  write(name, text);
  return read(env, name);
}

/** The refusal of a configuration. */
export async function failure(promise: Promise<unknown>): Promise<GatewayError> {
  const thrown = await promise.then(
    () => undefined,
    (error: unknown) => error,
  );
  if (!isGatewayError(thrown)) throw new Error(`no GatewayError: ${String(thrown)}`);
  expect(thrown.code).toBe("invalid_configuration");
  return thrown;
}
