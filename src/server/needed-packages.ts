import { GatewayError } from "../engine/errors.ts";

/** Throws `invalid_configuration` where packages that a setting needs are not installed; names all of them. */
export function needPackages(setting: string, ...names: readonly string[]): void {
  const missing = names.filter((name) => !isInstalled(name));
  if (missing.length === 0) return;
  const quoted = missing.map((name) => `\`${name}\``).join(", ");
  const [is, it] = missing.length === 1 ? ["is", "it"] : ["are", "them"];
  const message = `\`${setting}\`: ${quoted} ${is} not installed; add ${it} with \`npm install ${missing.join(" ")}\`.`;
  throw new GatewayError("invalid_configuration", message, { param: setting });
}

function isInstalled(name: string): boolean {
  try {
    import.meta.resolve(name);
    return true;
  } catch {
    return false;
  }
}
