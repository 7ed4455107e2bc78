import { Pool } from "undici";
import { GatewayError } from "../../../../src/engine/errors.ts";

/** A class of undici, or of what a runtime has in its place. */
export interface PoolClass {
  readonly prototype: { readonly dispatch?: unknown };
}

/** False on Bun, which loads a module of its own in place of undici: its classes have no `dispatch` and ignore what they are made with. */
export function canDispatch(pool: PoolClass = Pool): boolean {
  return typeof pool.prototype.dispatch === "function";
}

/** Throws `invalid_configuration` where the settings that a user's connections have would be ignored in silence. */
export function requireDispatch(of: string): void {
  if (canDispatch()) return;
  const message = `\`${of}\` needs the package undici, in whose place this runtime (Bun) loads a module of its own.`;
  throw new GatewayError("invalid_configuration", message);
}
