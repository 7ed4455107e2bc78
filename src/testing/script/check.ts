import { Usage } from "../../engine/api/usage.ts";
import { GatewayError } from "../../engine/errors.ts";
import { suggest } from "../../engine/runtime/did-you-mean.ts";
import { describeIssues } from "../../engine/runtime/issues/issues.ts";
import { describeFault } from "./failure.ts";
import type { ScriptedCall, ScriptStep } from "./step.ts";

/** What is wrong with a value: the field below it, where it is not the whole, and the words for the message. */
type Fault = { readonly at?: string | undefined; readonly problem: string };
type FieldCheck = (value: unknown) => Fault | undefined;
type FieldChecks = Readonly<Record<string, FieldCheck>>;

const must =
  (fits: (value: unknown) => boolean, what: string): FieldCheck =>
  (value) =>
    fits(value) ? undefined : { problem: `must be ${what}` };

const isCount = (value: unknown) => Number.isInteger(value) && Number(value) >= 0;
const isNumber = (value: unknown) => typeof value === "number" && Number.isFinite(value);
const isNumbers = (value: unknown) => Array.isArray(value) && value.every(isNumber);
const isObject = (value: unknown): value is object =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const isShare = (value: unknown) => isNumber(value) && Number(value) >= 0 && Number(value) <= 1;
const isVectors = (value: unknown) => Array.isArray(value) && value.length > 0 && value.every(isNumbers);
const isStatus = (value: unknown) => isCount(value) && Number(value) >= 400 && Number(value) <= 599;

const text = must((value) => typeof value === "string", "a text");
const count = must(isCount, "a whole number from 0");
const milliseconds = must((value) => isNumber(value) && Number(value) >= 0, "a number of milliseconds from 0");
const words = { text, after: count };

const callFields: Readonly<Record<keyof ScriptedCall, FieldCheck>> = {
  name: text,
  arguments: must((value) => typeof value === "string" || isObject(value), "a text or an object"),
  id: text,
};

/** The fields of each kind of step, next to `pauseMs`. */
const fieldsOf: Readonly<Record<ScriptStep["kind"], FieldChecks>> = {
  answer: { text, calls: checkCalls, usage: checkUsage },
  vectors: { vectors: must(isVectors, "a list of at least one list of numbers") },
  scores: { scores: must(isNumbers, "a list of numbers") },
  decisions: { answers: checkAnswers, usage: checkUsage },
  fail: { status: must(isStatus, "a status from 400 to 599"), message: text, code: text, retryAfterMs: count },
  unreachable: {},
  break: words,
  truncate: words,
  silence: words,
  defect: {},
};

const needed: Readonly<Partial<Record<ScriptStep["kind"], readonly string[]>>> = {
  vectors: ["vectors"],
  scores: ["scores"],
  decisions: ["answers"],
  fail: ["status"],
  break: ["text", "after"],
  truncate: ["text", "after"],
};

/** Throws `invalid_configuration` for a script that could not be acted out as it is meant, with the step and field in `param`. */
export function checkScript(script: unknown, hasClock: boolean): void {
  if (!isObject(script)) throw refuse("script", "must be an object of `provider/model` and its steps");
  for (const [name, steps] of Object.entries(script)) {
    if (!/^[^/]+\/.+$/.test(name)) throw refuse(name, "must be named `provider/model`");
    if (!Array.isArray(steps)) throw refuse(name, "must be a list of steps");
    for (const [at, step] of steps.entries()) checkStep(`${name}.${at}`, step, hasClock);
  }
}

function checkStep(place: string, step: unknown, hasClock: boolean): void {
  if (!isObject(step)) throw refuse(place, "must be an object with a `kind`");
  const { kind, ...fields } = step as { readonly kind?: unknown } & Readonly<Record<string, unknown>>;
  const kinds = Object.keys(fieldsOf);
  if (!isKind(kind)) throw refuse(`${place}.kind`, `must be one of ${kinds.join(", ")}${suggest(`${kind}`, kinds)}`);
  const fault = checkFields(fields, { of: `a step \`${kind}\``, checks: { ...fieldsOf[kind], pauseMs: milliseconds } });
  if (fault) throw refuse(`${place}.${fault.at}`, fault.problem);
  for (const name of needed[kind] ?? [])
    if (fields[name] === undefined) throw refuse(`${place}.${name}`, `is required by a step \`${kind}\``);
  if (fields.pauseMs && !hasClock) throw refuse(`${place}.pauseMs`, "needs the second argument of `scriptedProviders`");
}

function isKind(kind: unknown): kind is ScriptStep["kind"] {
  return typeof kind === "string" && Object.hasOwn(fieldsOf, kind);
}

/** The first field that is unknown or does not fit. */
function checkFields(
  fields: object,
  { of, checks }: { readonly of: string; readonly checks: FieldChecks },
): Fault | undefined {
  for (const [name, value] of Object.entries(fields)) {
    if (value === undefined) continue;
    const check = Object.hasOwn(checks, name) ? checks[name] : undefined;
    if (!check) return { at: name, problem: `is no field of ${of}${suggest(name, Object.keys(checks))}` };
    const fault = check(value);
    if (fault) return below(name, fault);
  }
  return undefined;
}

function below(name: string | number, { at, problem }: Fault): Fault {
  return { at: at === undefined ? `${name}` : `${name}.${at}`, problem };
}

function checkCalls(calls: unknown): Fault | undefined {
  if (!Array.isArray(calls)) return { problem: "must be a list of calls, each with a `name`" };
  for (const [at, call] of calls.entries()) {
    if (!isObject(call)) return below(at, { problem: "must be an object with a `name`" });
    const fault = checkFields(call, { of: "a call", checks: callFields });
    if (fault) return below(at, fault);
    if (!("name" in call)) return below(at, { at: "name", problem: "is required by a call" });
  }
  return undefined;
}

function checkAnswers(answers: unknown): Fault | undefined {
  if (!isObject(answers)) return { problem: "must be an object of the questions and their answers" };
  for (const [name, answer] of Object.entries(answers)) {
    const isPlain = answer === null || ["boolean", "string"].includes(typeof answer) || isNumber(answer);
    if (isPlain || (isObject(answer) && Object.values(answer).every(isShare))) continue;
    const problem = "must be true, false, a number, a text, null, or an object of numbers from 0 to 1";
    return { at: name, problem };
  }
  return undefined;
}

/** Fields of vendors that are not ours are let through, unless one is nearly ours. */
function checkUsage(usage: unknown): Fault | undefined {
  if (!isObject(usage)) return { problem: "must be an object" };
  for (const name of Object.keys(usage)) {
    const hint = name in Usage.shape ? "" : suggest(name, Object.keys(Usage.shape));
    if (hint) return { at: name, problem: `is no field of a usage${hint}` };
  }
  const { success, error } = Usage.safeParse(usage);
  if (success) return undefined;
  const { param, message } = describeIssues(error.issues);
  return { at: param, problem: message };
}

function refuse(param: string, problem: string): GatewayError {
  return new GatewayError("invalid_configuration", describeFault(param, problem), { param });
}
