import { GatewayError } from "../errors.ts";

/** Throws `invalid_configuration` where the package that a setting needs is not installed. */
export function needPackage(name: string, setting: string): void {
  try {
    import.meta.resolve(name);
  } catch (cause) {
    const message = `\`${setting}\`: \`${name}\` is not installed; add it with \`npm install ${name}\`.`;
    throw new GatewayError("invalid_configuration", message, { param: setting, cause });
  }
}
