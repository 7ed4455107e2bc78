import { GatewayError, isGatewayError } from "../../engine/errors.ts";
import type { CheckedConfig } from "./shape.ts";

/** A configuration, and the file that it was read from, if there is one. */
export interface ConfigOrigin {
  readonly config: Partial<CheckedConfig>;
  readonly file: string | undefined;
}

/** Runs work that depends on a configuration. Adds the file name to the error of a setting that comes from the file. */
export async function namingFile<Result>(
  { config, file }: ConfigOrigin,
  work: () => Result | Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } catch (thrown) {
    if (file === undefined || !isGatewayError(thrown) || thrown.code !== "invalid_configuration") throw thrown;
    const [setting = ""] = thrown.param?.split(".") ?? [];
    throw Object.hasOwn(config, setting) ? inFile(thrown, file) : thrown;
  }
}

/** The error with the file in front of its message. */
export function inFile({ code, message, param, cause }: GatewayError, file: string): GatewayError {
  return new GatewayError(code, `${file}: ${message}`, { param, cause });
}
