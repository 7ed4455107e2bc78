import { findSimilar } from "../did-you-mean.ts";
import { describeFault, nameTypes } from "./words.ts";

/** The fields read of a schema's issue. */
export interface Issue {
  readonly code?: string | undefined;
  /** Of a wrong type, the type that the schema has. */
  readonly expected?: string | undefined;
  readonly path: readonly PropertyKey[];
  readonly message: string;
  /** Fields that the schema does not have. */
  readonly keys?: readonly string[];
  /** Of the name of a field, its issues. */
  readonly issues?: readonly Issue[];
  /** Of a union, the issues of each branch. */
  readonly errors?: readonly (readonly Issue[])[];
}

/** An issue in words, and the dotted path of the field at fault; `undefined` when it is the whole. */
export interface DescribedIssue {
  readonly param: string | undefined;
  readonly message: string;
}

/** The names of the fields that a schema knows at a path. */
type KnownAt = (path: readonly PropertyKey[]) => readonly string[];

/** The first and most specific of the issues. Of an unknown field, `knownAt` says which one was probably meant. */
export function describeIssues(issues: readonly Issue[], knownAt: KnownAt = () => []): DescribedIssue {
  const first = firstToName(issues);
  if (!first) return { param: undefined, message: "is not valid" };
  const issue = mostSpecific(first);
  const [unknown] = issue.code === "unrecognized_keys" ? (issue.keys ?? []) : [];
  const path = unknown === undefined ? issue.path : [...issue.path, unknown];
  const message = unknown === undefined ? inWords(issue) : unknownField(unknown, knownAt(issue.path));
  return { param: path.length === 0 ? undefined : path.map(String).join("."), message };
}

/** A field that is missing may be there under a wrong name, which then says more. */
function firstToName(issues: readonly Issue[]): Issue | undefined {
  const [first] = issues;
  const unknown = issues.find(({ code }) => code === "unrecognized_keys");
  return first?.code === "invalid_type" ? (unknown ?? first) : first;
}

function unknownField(name: string, known: readonly string[]): string {
  const similar = findSimilar(name, known);
  return `is not a known field${similar === undefined ? "" : ` (did you mean \`${similar}\`?)`}`;
}

/**
 * Descends into the branch of a union that was meant: the one that got furthest, of several such one that takes a value of this type.
 * Where none does, the types of all are named.
 */
function mostSpecific(issue: Issue): Issue {
  const firsts = (issue.errors ?? []).flatMap(([first]) => (first ? [first] : []));
  const [head] = firsts;
  if (!head) return issue;
  const furthest = firsts.reduce((best, first) => (compareProgress(first, best) > 0 ? first : best), head);
  const equals = firsts.filter(({ path }) => path.join() === furthest.path.join());
  const meant = equals.find((first) => !isWrongType(first));
  const inner = meant ? mostSpecific(meant) : anyOf(equals.map(mostSpecific));
  return { ...inner, path: [...issue.path, ...inner.path] };
}

/** Above 0 when the first of two branches read more of the value: it went deeper, or further along a list. */
function compareProgress({ path: one }: Issue, { path: other }: Issue): number {
  if (one.length !== other.length) return one.length - other.length;
  for (const [step, name] of one.entries()) {
    const otherName = other[step];
    if (typeof name === "number" && typeof otherName === "number" && name !== otherName) return name - otherName;
  }
  return 0;
}

/** Also of a union of which no branch takes a value of this type. A fraction in place of a whole number is of the type that was meant. */
function isWrongType(issue: Issue): boolean {
  const { code, errors } = issue;
  if (code === "invalid_type") return !isFraction(issue);
  return (
    errors !== undefined &&
    errors.length > 0 &&
    errors.every(([first]) => first !== undefined && first.path.length === 0 && isWrongType(first))
  );
}

function isFraction(issue: Issue): boolean {
  return issue.expected === "int" && receivedOf(issue) === "number";
}

function anyOf(issues: readonly Issue[]): Issue {
  const [first] = issues as readonly [Issue, ...Issue[]];
  const expected = [...new Set(issues.flatMap((issue) => issue.expected ?? []))].join(" or ");
  return { ...first, expected, message: `Invalid input: expected ${expected}, received ${receivedOf(first)}` };
}

/** A schema reports the received type only in its message. */
function receivedOf({ message }: Issue): string {
  return /received (\w+)$/.exec(message)?.[1] ?? "another";
}

/** Callers who send JSON know no `undefined`, and those who send a query no `NaN`. */
function inWords(issue: Issue): string {
  if (issue.code === "invalid_key") return `is not a valid name: it ${describeFault(issue.issues?.[0]?.message)}`;
  if (issue.code !== "invalid_type") return describeFault(issue.message);
  if (isFraction(issue)) return "must be a whole number";
  const isMissing = receivedOf(issue) === "undefined";
  return isMissing ? `is missing: it must be ${nameTypes(issue.expected ?? "")}` : describeFault(issue.message);
}
