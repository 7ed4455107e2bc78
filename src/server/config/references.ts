import { GatewayError } from "../../engine/errors.ts";
import type { Environment } from "../terminal/terminal.ts";

/** Deeper than any configuration goes; one that leads in a circle ends here. */
const deepest = 20;

/** What stands for a variable in a shell and in other tools' files. Nothing but such a text is meant as one. */
const shellVariable = /^\$\{\w+\}$/;

/**
 * Replaces every text `env:NAME` by the variable of that name. Throws `invalid_configuration` naming the field and the variable when it is
 * not set, and for a text `${NAME}`, which would be sent as a wrong key. Provider objects and functions are left as they are.
 */
export function resolveReferences(value: unknown, env: Environment): unknown {
  function resolve(part: unknown, path: readonly string[]): unknown {
    if (typeof part === "string") return resolveText(part, path.join("."));
    if (path.length > deepest)
      throw misconfigured(path.slice(0, 3).join("."), "is nested too deeply or contains itself");
    if (Array.isArray(part)) return part.map((each, position) => resolve(each, [...path, String(position)]));
    if (!isPlain(part)) return part;
    return Object.fromEntries(Object.entries(part).map(([name, each]) => [name, resolve(each, [...path, name])]));
  }

  function resolveText(text: string, field: string): string {
    if (shellVariable.test(text)) throw misconfigured(field, "is shell syntax for a variable; write `env:NAME`");
    return text.startsWith("env:") ? read(text.slice("env:".length), field) : text;
  }

  function read(name: string, field: string): string {
    if (!/^\w+$/.test(name)) throw misconfigured(field, "refers to a variable without a name; write `env:NAME`");
    const found = env[name];
    if (found === undefined || found === "")
      throw misconfigured(field, `refers to the environment variable ${name}, which is not set`);
    return found;
  }

  return resolve(value, []);
}

/** An object without methods: what JSON could hold. Anything with a function in it is somebody's provider. */
function isPlain(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== "object" || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return false;
  return !Object.values(value).some((each) => typeof each === "function");
}

/** The error of one field of a configuration. */
export function misconfigured(param: string, problem: string): GatewayError {
  const subject = param === "" ? "The configuration" : `\`${param}\``;
  const end = problem.endsWith("?") ? "" : ".";
  return new GatewayError("invalid_configuration", `${subject} ${problem}${end}`, {
    param: param === "" ? undefined : param,
  });
}
