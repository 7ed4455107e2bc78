/** What is read of an issue that a schema found. */
export interface Issue {
  readonly code?: string | undefined;
  /** Of a wrong type, the type that the schema has. */
  readonly expected?: string | undefined;
  readonly path: readonly PropertyKey[];
  readonly message: string;
  /** Fields that the schema does not have. */
  readonly keys?: readonly string[];
  /** Of a union, the issues of each branch. */
  readonly errors?: readonly (readonly Issue[])[];
}

/** An issue in words, and the dotted path of the field at fault; `undefined` when it is the whole. */
export interface Described {
  readonly param: string | undefined;
  readonly message: string;
}

/** The first and most specific of the issues. */
export function describeIssues(issues: readonly Issue[]): Described {
  const [first] = issues;
  if (!first) return { param: undefined, message: "is not valid" };
  const issue = mostSpecific(first);
  const [unknown] = issue.code === "unrecognized_keys" ? (issue.keys ?? []) : [];
  const path = unknown === undefined ? issue.path : [...issue.path, unknown];
  const message = unknown === undefined ? inWords(issue) : "is not a known field";
  return { param: path.length === 0 ? undefined : path.map(String).join("."), message };
}

/**
 * Descends into the branch of a union that was meant: the one that got furthest, else one that takes a value of this type. Where none
 * does, the types of all are named.
 */
function mostSpecific(issue: Issue): Issue {
  const firsts = (issue.errors ?? []).flatMap(([first]) => (first ? [first] : []));
  if (firsts.length === 0) return issue;
  const deepest = firsts.reduce((best, first) => (first.path.length > best.path.length ? first : best));
  const meant = deepest.path.length > 0 ? deepest : firsts.find((first) => !isWrongType(first));
  const inner = meant ? mostSpecific(meant) : anyOf(firsts.map(mostSpecific));
  return { ...inner, path: [...issue.path, ...inner.path] };
}

/** Also of a union of which no branch takes a value of this type. */
function isWrongType({ code, path, errors }: Issue): boolean {
  if (path.length > 0) return false;
  if (code === "invalid_type") return true;
  return (
    errors !== undefined && errors.length > 0 && errors.every(([first]) => first !== undefined && isWrongType(first))
  );
}

function anyOf(issues: readonly Issue[]): Issue {
  const [first] = issues as readonly [Issue, ...Issue[]];
  const expected = [...new Set(issues.flatMap((issue) => issue.expected ?? []))].join(" or ");
  return { ...first, expected, message: `Invalid input: expected ${expected}, received ${receivedOf(first)}` };
}

/** A schema tells the type that it was given only in its message. */
function receivedOf({ message }: Issue): string {
  return /received (\w+)$/.exec(message)?.[1] ?? "another";
}

/** A caller who sends JSON knows no `undefined`, and one who sends a query no `NaN`. */
function inWords(issue: Issue): string {
  if (issue.code !== "invalid_type") return issue.message;
  const received = receivedOf(issue);
  if (received === "undefined") return `is missing: expected ${issue.expected}`;
  return received === "NaN" ? `Invalid input: expected ${issue.expected}` : issue.message;
}
