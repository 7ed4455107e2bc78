import { createHash } from "node:crypto";
import { GatewayError } from "../../../../src/engine/errors.ts";
import type { ServiceContext } from "../endpoint.ts";
import type { BackupPhase } from "../options.ts";

/** What the work on backups needs. */
export interface BackupContext extends ServiceContext {
  readonly folder: string;
  onPhase(phase: BackupPhase, id: string): void;
  opened(): Promise<void>;
}

/** The error of what is not there. */
export function absent(what: string, id: string): GatewayError {
  return new GatewayError("not_found", `There is no ${what} \`${id}\`.`);
}

/** An id in the form of a UUID that is always the same for the same parts. */
export function idOf(...parts: readonly string[]): string {
  const hex = createHash("sha256").update(JSON.stringify(parts)).digest("hex");
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, "$1-$2-$3-$4-$5");
}
