import { isGatewayError } from "../engine/errors.ts";
import { checkConfig } from "./config/check.ts";
import type { ConfigFile } from "./config/file.ts";
import { inFile } from "./config/origin.ts";
import { resolveReferences } from "./config/references.ts";
import { type CheckedConfig, ConfigShape } from "./config/shape.ts";
import { type Declared, readDeclared } from "./providers/declared.ts";
import type { Environment } from "./terminal/terminal.ts";

/** The settings of a configuration file. */
export interface FileSettings {
  readonly config: CheckedConfig;
  readonly declared: Declared;
}

/** Validates a configuration file, if there is one. Throws `invalid_configuration` naming the file and the field. */
export function readSettings(file: ConfigFile | undefined, env: Environment): FileSettings {
  const name = file?.name ?? "";
  try {
    const value = file?.value ?? {}; // an empty document is an empty configuration
    const config: CheckedConfig = checkConfig(ConfigShape, resolveReferences(value, env), "");
    return { config, declared: readDeclared(config.providers ?? {}, name, env) };
  } catch (thrown) {
    throw isGatewayError(thrown) ? inFile(thrown, name) : thrown;
  }
}
