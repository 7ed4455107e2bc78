import { GatewayError } from "../errors.ts";
import { findSimilar } from "../runtime/did-you-mean.ts";

type FieldCheck = readonly [fits: (value: unknown) => boolean, what: string];

const isText = (value: unknown) => typeof value === "string";
const isCount = (value: unknown) => Number.isInteger(value) && Number(value) >= 0;
const isNumber = (value: unknown) => typeof value === "number" && Number.isFinite(value);
const isNumbers = (value: unknown) => Array.isArray(value) && value.every(isNumber);
const isObject = (value: unknown) => typeof value === "object" && value !== null;
const isCalls = (value: unknown) =>
  Array.isArray(value) && value.every((call) => isObject(call) && isText((call as { name?: unknown }).name));
const text: FieldCheck = [isText, "a text"];
const count: FieldCheck = [isCount, "a whole number from 0"];
const words = { text, after: count };

/** The fields of each kind of step. */
const fieldsOf: Readonly<Record<string, Readonly<Record<string, FieldCheck>>>> = {
  answer: {
    text,
    calls: [isCalls, "a list of calls, each with a `name`"],
    usage: [isObject, "an object"],
    pauseMs: [(value) => isNumber(value) && Number(value) >= 0, "a number of milliseconds from 0"],
  },
  vectors: {
    vectors: [
      (value) => Array.isArray(value) && value.length > 0 && value.every(isNumbers),
      "a list of at least one list of numbers",
    ],
  },
  scores: { scores: [isNumbers, "a list of numbers"] },
  fail: {
    status: [(value) => isCount(value) && Number(value) >= 400 && Number(value) <= 599, "a status from 400 to 599"],
    message: text,
    code: text,
    retryAfterMs: count,
  },
  unreachable: {},
  break: words,
  truncate: words,
  silence: words,
  defect: {},
};

const needed: Readonly<Record<string, readonly string[]>> = {
  vectors: ["vectors"],
  scores: ["scores"],
  fail: ["status"],
  break: ["text", "after"],
  truncate: ["text", "after"],
};

/** Throws `invalid_configuration` for a script that could not be acted out as it is meant, with the step and field in `param`. */
export function checkScript(script: unknown, hasClock: boolean): void {
  if (!isObject(script)) throw refuse("script", "must be an object of `provider/model` and its steps");
  for (const [name, steps] of Object.entries(script as object)) {
    if (!/^[^/]+\/.+$/.test(name)) throw refuse(name, "must be named `provider/model`");
    if (!Array.isArray(steps)) throw refuse(name, "must be a list of steps");
    for (const [at, step] of steps.entries()) checkStep(`${name}.${at}`, step, hasClock);
  }
}

function checkStep(place: string, step: unknown, hasClock: boolean): void {
  if (!isObject(step)) throw refuse(place, "must be an object with a `kind`");
  const { kind, ...fields } = step as { readonly kind?: unknown } & Readonly<Record<string, unknown>>;
  const checks = Object.hasOwn(fieldsOf, `${kind}`) ? fieldsOf[`${kind}`] : undefined;
  if (checks === undefined) throw refuse(`${place}.kind`, `must be one of ${Object.keys(fieldsOf).join(", ")}`);
  for (const [name, value] of Object.entries(fields)) {
    if (value === undefined) continue;
    const check = Object.hasOwn(checks, name) ? checks[name] : undefined;
    if (check === undefined) throw refuse(`${place}.${name}`, unknownField(name, `${kind}`, Object.keys(checks)));
    if (!check[0](value)) throw refuse(`${place}.${name}`, `must be ${check[1]}`);
  }
  for (const name of needed[`${kind}`] ?? [])
    if (fields[name] === undefined) throw refuse(`${place}.${name}`, `is required by a step \`${kind}\``);
  if (fields.pauseMs && !hasClock) throw refuse(`${place}.pauseMs`, "needs the second argument of `scriptedProviders`");
}

function unknownField(name: string, kind: string, known: readonly string[]): string {
  const similar = findSimilar(name, known);
  return `is no field of a step \`${kind}\`${similar === undefined ? "" : `; did you mean \`${similar}\`?`}`;
}

function refuse(param: string, problem: string): GatewayError {
  return new GatewayError("invalid_configuration", `\`${param}\` of the script ${problem}.`, { param });
}
