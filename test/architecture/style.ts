import ts from "typescript";
import { findInEach, isShipped, type Rule } from "./rule.ts";
import { type SourceFile, walk } from "./tree.ts";

const maxLines = 250;
const maxImports = 8;

const bannedEndings = /(?:^|[a-z0-9_-])(Manager|Service|Helper|Helpers|Utils|Util|Data|Info)$/;
const bannedWords = new Set(["manager", "service", "helper", "helpers", "utils", "util", "data", "info"]);

function isBanned(name: string): boolean {
  return bannedWords.has(name.toLowerCase()) || bannedEndings.test(name);
}

function findInSyntax({ syntax }: SourceFile, find: (node: ts.Node) => string | undefined): string[] {
  const found: string[] = [];
  walk(syntax, (node) => {
    const what = find(node);
    if (what !== undefined)
      found.push(`line ${syntax.getLineAndCharacterOfPosition(node.getStart()).line + 1}: ${what}`);
  });
  return found;
}

/** The name that a declaration gives; names out of a destructured wire object and of properties are the wire's, not ours. */
function readDeclaredName(node: ts.Node): string | undefined {
  const isDeclaration =
    ts.isVariableDeclaration(node) ||
    ts.isParameter(node) ||
    ts.isFunctionDeclaration(node) ||
    ts.isClassDeclaration(node) ||
    ts.isInterfaceDeclaration(node) ||
    ts.isTypeAliasDeclaration(node);
  return isDeclaration && node.name !== undefined && ts.isIdentifier(node.name) ? node.name.text : undefined;
}

function findBannedNames(file: SourceFile): string[] {
  const parts = file.path.split("/").map((part) => part.replace(/\.ts$/, ""));
  const banned = parts.filter(isBanned).map((part) => `the path says ${part}`);
  return [
    ...banned,
    ...findInSyntax(file, (node) => {
      const name = readDeclaredName(node);
      return name !== undefined && isBanned(name) ? `declares ${name}` : undefined;
    }),
  ];
}

function isDefaultExport(node: ts.Node): boolean {
  if (ts.isExportAssignment(node)) return true;
  if (ts.isExportSpecifier(node)) return node.name.text === "default";
  return (
    ts.canHaveModifiers(node) && (ts.getModifiers(node) ?? []).some(({ kind }) => kind === ts.SyntaxKind.DefaultKeyword)
  );
}

const subpathIndex = /^(src\/index|src\/(route|testing)\/index|adapters\/(?!shared\/)[^/]+\/[^/]+\/index)\.ts$/;

/** How a file looks. */
export const styleRules: readonly Rule[] = [
  {
    title: `no file is longer than ${maxLines} lines`,
    find: findInEach(
      () => true,
      ({ lines }) => (lines > maxLines ? [`${lines} lines`] : []),
    ),
    planted: [{ "test/long.test.ts": "\n".repeat(maxLines).concat("x") }],
  },
  {
    title: `no shipped file needs more than ${maxImports} others at run time`,
    find: findInEach(isShipped, ({ imports }) => {
      const count = imports.filter(({ isStatement, isType }) => isStatement && !isType).length;
      return count > maxImports ? [`${count} imports`] : [];
    }),
    planted: [{ "src/route/a.ts": Array.from({ length: maxImports + 1 }, (_, n) => `import "./${n}.ts";`).join("\n") }],
  },
  {
    title: "exports are named",
    find: findInEach(
      () => true,
      (file) => findInSyntax(file, (node) => (isDefaultExport(node) ? "a default export" : undefined)),
    ),
    planted: [
      { "src/a.ts": "export default 1;" },
      { "src/a.ts": "export default function a() {}" },
      { "adapters/a.ts": "const a = 1; export { a as default };" },
    ],
  },
  {
    title: "an index.ts stands only where a public subpath begins",
    find: findInEach(
      (path) => isShipped(path) && path.endsWith("/index.ts"),
      ({ path }) => (subpathIndex.test(path) ? [] : ["is no public subpath"]),
    ),
    planted: [
      { "src/pipeline/index.ts": "" },
      { "adapters/providers/index.ts": "" },
      { "adapters/shared/http/index.ts": "" },
      { "adapters/providers/a/wire/index.ts": "" },
    ],
  },
  {
    title: "names say what a thing is: no manager, service, helper, utils, data, info",
    find: findInEach(() => true, findBannedNames),
    planted: [
      { "src/route/utils.ts": "" },
      { "src/helpers/a.ts": "" },
      { "src/a.ts": "const data = 1;" },
      { "src/a.ts": "class KeyManager {}" },
      { "src/a.ts": "interface UserInfo {}" },
      { "src/a.ts": "export function readData() {}" },
      { "src/a.ts": "const f = (info: string) => info;" },
    ],
  },
];
