import type { SourceFile } from "./tree.ts";

/** A statement about the whole tree. */
export interface Rule {
  /** The rule in a sentence; the title of its test. */
  readonly title: string;
  /** What breaks the rule, one line each. */
  readonly find: (files: readonly SourceFile[]) => readonly string[];
  /** Small trees that each break the rule: proof that `find` sees it. */
  readonly planted: readonly Readonly<Record<string, string>>[];
}

/** A rule that looks at one file at a time. */
export function findInEach(
  concerns: (path: string) => boolean,
  find: (file: SourceFile) => readonly string[],
): Rule["find"] {
  return (files) =>
    files.filter(({ path }) => concerns(path)).flatMap((file) => find(file).map((what) => `${file.path}: ${what}`));
}

/** True for the library itself: what ships. */
export function isShipped(path: string): boolean {
  return path.startsWith("src/") || path.startsWith("adapters/");
}
