import { readdirSync, readFileSync } from "node:fs";
import { posix } from "node:path";
import ts from "typescript";

/** Path from the root of the repository → text of the file. */
export type Tree = ReadonlyMap<string, string>;

/** One module that a file names, and whether it is still there at run time. */
export interface Import {
  /** A path of the tree, or the specifier of a package or of a Node module. */
  readonly target: string;
  readonly isType: boolean;
  /** `import …`, `export … from`, or `import()` inside the code. */
  readonly kind: "import" | "export" | "call";
}

/** What the rules look at. */
export interface SourceFile {
  readonly path: string;
  readonly lines: number;
  readonly imports: readonly Import[];
  readonly syntax: ts.SourceFile;
}

/** All TypeScript files below some folders of the repository. */
export function readTree(root: string, folders: readonly string[]): Tree {
  const files = folders.flatMap((folder) => {
    const entries = readdirSync(posix.join(root, folder), { withFileTypes: true, recursive: true });
    return entries
      .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
      .map((entry) => posix.relative(root, posix.join(entry.parentPath, entry.name)));
  });
  return new Map(files.sort().map((path) => [path, readFileSync(posix.join(root, path), "utf8")]));
}

/** The nodes of the trees that were walked: every rule looks at all of them, and each is listed once. */
const nodesOf = new WeakMap<ts.Node, readonly ts.Node[]>();

function listNodes(root: ts.Node): readonly ts.Node[] {
  const nodes: ts.Node[] = [];
  const add = (node: ts.Node) => {
    nodes.push(node);
    ts.forEachChild(node, add);
  };
  add(root);
  nodesOf.set(root, nodes);
  return nodes;
}

/** Calls `visit` for every node of a file. */
export function walk(root: ts.Node, visit: (node: ts.Node) => void): void {
  for (const node of nodesOf.get(root) ?? listNodes(root)) visit(node);
}

function resolveSpecifier(from: string, specifier: string): string {
  return specifier.startsWith(".") ? posix.join(posix.dirname(from), specifier) : specifier;
}

function readSpecifier(node: ts.Node): string | undefined {
  return ts.isStringLiteralLike(node) ? node.text : undefined;
}

/** `import`, `export … from`, `import()` and `import("…").Type`: the specifier with what it counts as. */
function readImport(node: ts.Node): (Omit<Import, "target"> & { readonly specifier: string | undefined }) | undefined {
  if (ts.isImportDeclaration(node)) {
    const isType = node.importClause?.phaseModifier === ts.SyntaxKind.TypeKeyword;
    return { specifier: readSpecifier(node.moduleSpecifier), isType, kind: "import" };
  }
  if (ts.isExportDeclaration(node) && node.moduleSpecifier !== undefined) {
    return { specifier: readSpecifier(node.moduleSpecifier), isType: node.isTypeOnly, kind: "export" };
  }
  if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
    const [argument] = node.arguments;
    return { specifier: argument && readSpecifier(argument), isType: false, kind: "call" };
  }
  if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) {
    return { specifier: readSpecifier(node.argument.literal), isType: true, kind: "call" };
  }
  return undefined;
}

function parseFile(path: string, text: string): SourceFile {
  const syntax = ts.createSourceFile(path, text, ts.ScriptTarget.ESNext, true);
  const imports: Import[] = [];
  walk(syntax, (node) => {
    const found = readImport(node);
    if (found?.specifier === undefined) return;
    const { specifier, isType, kind } = found;
    imports.push({ target: resolveSpecifier(path, specifier), isType, kind });
  });
  return { path, lines: text.trimEnd().split("\n").length, imports, syntax };
}

/** Every file of a tree with its imports. */
export function parseTree(tree: Tree): readonly SourceFile[] {
  return [...tree].map(([path, text]) => parseFile(path, text));
}
