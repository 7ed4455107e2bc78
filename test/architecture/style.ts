import ts from "typescript";
import { findInEach, isShipped, type Rule } from "./rule.ts";
import { type SourceFile, walk } from "./tree.ts";

const maxLines = 250;
const maxImports = 16;

const bannedName = /^(?:manager|helpers?|utils?|data|info)$|[a-z0-9](?:Manager|Helpers?|Utils?|Data|Info)$/;
const bannedTypeName = /^(?:Manager|Service|Helpers?|Utils?|Data|Info)$|[a-z0-9]Service$/;
const bannedPath = /(?:^|[/_-])(?:manager|service|helpers?|utils?|data|info)s?(?:\/|$)/i;

function findInSyntax({ syntax }: SourceFile, find: (node: ts.Node) => string | undefined): string[] {
  const found: string[] = [];
  walk(syntax, (node) => {
    const what = find(node);
    if (what !== undefined)
      found.push(`line ${syntax.getLineAndCharacterOfPosition(node.getStart()).line + 1}: ${what}`);
  });
  return found;
}

function isTypeDeclaration(node: ts.Node) {
  return ts.isClassDeclaration(node) || ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node);
}

function isTopLevel(node: ts.Node): boolean {
  const statement = ts.isVariableDeclaration(node) ? node.parent.parent : node;
  return ts.isSourceFile(statement.parent);
}

/** The name that a declaration at the top of a file gives. Inside a function `data` may be the wire's own word. */
function readDeclaredName(node: ts.Node): string | undefined {
  const isDeclaration = ts.isVariableDeclaration(node) || ts.isFunctionDeclaration(node) || isTypeDeclaration(node);
  if (!isDeclaration || !isTopLevel(node)) return undefined;
  return node.name !== undefined && ts.isIdentifier(node.name) ? node.name.text : undefined;
}

function findBannedNames(file: SourceFile): string[] {
  const inPath = bannedPath.test(file.path.replace(/\.ts$/, "")) ? ["so says the path"] : [];
  const declared = findInSyntax(file, (node) => {
    const name = readDeclaredName(node);
    if (name === undefined) return undefined;
    const isBad = bannedName.test(name) || (isTypeDeclaration(node) && bannedTypeName.test(name));
    return isBad ? `declares ${name}` : undefined;
  });
  return [...inPath, ...declared];
}

function isDefaultExport(node: ts.Node): boolean {
  if (ts.isExportAssignment(node)) return true;
  if (ts.isExportSpecifier(node)) return node.name.text === "default";
  return (
    ts.canHaveModifiers(node) && (ts.getModifiers(node) ?? []).some(({ kind }) => kind === ts.SyntaxKind.DefaultKeyword)
  );
}

const subpathIndex =
  /^(src\/index|src\/(engine\/routing|portal|http\/console|testing|ai-sdk)\/index|adapters\/(?!shared\/)[^/]+\/[^/]+\/index)\.ts$/;

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
      const count = imports.filter(({ kind, isType }) => kind === "import" && !isType).length;
      return count > maxImports ? [`${count} imports`] : [];
    }),
    planted: [
      { "src/engine/routing/a.ts": Array.from({ length: maxImports + 1 }, (_, n) => `import "./${n}.ts";`).join("\n") },
    ],
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
      { "src/engine/pipeline/index.ts": "" },
      { "adapters/providers/index.ts": "" },
      { "adapters/shared/http/index.ts": "" },
      { "adapters/providers/a/wire/index.ts": "" },
    ],
  },
  {
    title: "names say what a thing is: no manager, service, helper, utils, data, info",
    find: findInEach(() => true, findBannedNames),
    planted: [
      { "src/engine/routing/utils.ts": "" },
      { "src/helpers/a.ts": "" },
      { "src/a.ts": "const data = 1;" },
      { "src/key-service.ts": "" },
      { "src/a.ts": "class KeyManager {}" },
      { "src/a.ts": "interface KeyService {}" },
      { "src/a.ts": "interface UserInfo {}" },
      { "src/a.ts": "export function readData() {}" },
      { "src/a.ts": "export const routeInfo = {};" },
    ],
  },
];
