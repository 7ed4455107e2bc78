/** What is read of an issue that a schema found. */
export interface Issue {
  readonly code?: string | undefined;
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
  const message = unknown === undefined ? issue.message : "is not a known field";
  return { param: path.length === 0 ? undefined : path.map(String).join("."), message };
}

/** Descends into the branch of a union that got furthest: that is the one that was meant. */
function mostSpecific(issue: Issue): Issue {
  let deepest: Issue | undefined;
  for (const branch of issue.errors ?? []) {
    const first = branch[0];
    if (first && first.path.length > (deepest?.path.length ?? 0)) deepest = first;
  }
  if (!deepest) return issue;
  const inner = mostSpecific(deepest);
  return { ...inner, path: [...issue.path, ...inner.path] };
}
