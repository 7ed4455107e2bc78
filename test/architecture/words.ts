import ts from "typescript";
import { findInEach, isShipped, type Rule } from "./rule.ts";
import { type SourceFile, walk } from "./tree.ts";

/** Names of types that more than one file declares, each with its reason. */
const sharedTypeNames: Readonly<Record<string, string>> = {};

/**
 * Words that only the makers of this code could read, as they stood in it once. They name no identifier, alone or as a part
 * (`toldUsage`); the field's term goes in their place (docs/glossary.md).
 */
const banned = new Set(
  (
    "told heed heeded heeds shelf shelves roster drawer patience patient patiently tab blame books office reign reigns " +
    "journey teller tellers untold tell tells telling asker unasked wall casting conduct played deed deeds witness witnessed " +
    "duty duties hurry underway grantor grantors leftovers gift gifts wish wishes ground site sight letter bucketeer " +
    "beside asides aside likeness farewell traffic steady enlist dismiss enrolled boarded board landing rider riders " +
    "ride brought retell strangers stranger nobody whoever hear heard hears heedful cells sheets journal " +
    "unweighed weigh weighed drawers ticket tickets standing standings kept keptness said saids unsaid given givens ungiven " +
    "forgetful forgotten misplaced placed unplaced owed midway approach approaches terms inquiry inquire inquiries books"
  ).split(" "),
);

/** Words that are the field's own in one place: the identifier, and why it stays. */
const allowed: Readonly<Record<string, string>> = {
  patienceMs: "inference-resolved.md, 6.3, names the setting `retry.patience_ms`",
};

function wordsOf(name: string): string[] {
  return name
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .replace(/([A-Z]+)([A-Z][a-z])/g, "$1 $2")
    .toLowerCase()
    .split(/[\s_$]+/);
}

/** The name that a node declares for code to use; keys of object literals and of interfaces count, strings do not. */
function declaredName(node: ts.Node): ts.Identifier | undefined {
  const named =
    ts.isVariableDeclaration(node) ||
    ts.isParameter(node) ||
    ts.isBindingElement(node) ||
    ts.isFunctionDeclaration(node) ||
    ts.isClassDeclaration(node) ||
    ts.isInterfaceDeclaration(node) ||
    ts.isTypeAliasDeclaration(node) ||
    ts.isPropertySignature(node) ||
    ts.isMethodSignature(node) ||
    ts.isMethodDeclaration(node) ||
    ts.isPropertyDeclaration(node);
  if (!named || node.name === undefined || !ts.isIdentifier(node.name)) return undefined;
  return node.name;
}

function findBannedWords({ path, syntax }: SourceFile): string[] {
  const found = new Set<string>();
  for (const word of path.replace(/\.ts$/, "").split(/[/.-]/)) if (banned.has(word)) found.add(`the path says ${word}`);
  walk(syntax, (node) => {
    const name = declaredName(node)?.text;
    if (name === undefined || Object.hasOwn(allowed, name)) return;
    const word = wordsOf(name).find((each) => banned.has(each));
    if (word !== undefined) found.add(`declares ${name}`);
  });
  return [...found];
}

function isType(node: ts.Node): node is ts.InterfaceDeclaration | ts.TypeAliasDeclaration | ts.ClassDeclaration {
  return ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node) || ts.isClassDeclaration(node);
}

/** True for a declaration that adds to one of another file: `declare module "./a.ts" { interface A {} }`. */
function isMerged({ parent }: ts.Node): boolean {
  return ts.isModuleBlock(parent) && ts.isStringLiteral(parent.parent.name);
}

function findSharedTypeNames(files: readonly SourceFile[]): string[] {
  const places = new Map<string, Set<string>>();
  for (const { path, syntax } of files.filter((file) => isShipped(file.path))) {
    walk(syntax, (node) => {
      if (!isType(node) || node.name === undefined || isMerged(node)) return;
      places.set(node.name.text, (places.get(node.name.text) ?? new Set()).add(path));
    });
  }
  return [...places]
    .filter(([name, paths]) => paths.size > 1 && !Object.hasOwn(sharedTypeNames, name))
    .map(([name, paths]) => `${name}: ${[...paths].join(", ")}`);
}

/** What things are called. */
export const wordRules: readonly Rule[] = [
  {
    title: "one name, one type: no two files declare types of the same name",
    find: findSharedTypeNames,
    planted: [
      { "src/engine/routing/a.ts": "interface Target {}", "adapters/counters/b.ts": "export type Target = 1;" },
    ],
  },
  {
    title: "identifiers and paths use the field's terms",
    find: findInEach(isShipped, findBannedWords),
    planted: [
      { "src/engine/routing/patience.ts": "" },
      { "src/a.ts": "const toldUsage = 1;" },
      { "src/a.ts": "interface A { readonly standings: number }" },
      { "adapters/a.ts": "export function heed(): void {}" },
    ],
  },
];
