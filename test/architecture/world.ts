import ts from "typescript";
import { findInEach, type Rule } from "./rule.ts";
import { type SourceFile, walk } from "./tree.ts";

/** Ways to time, chance, the environment and the network that must come in as arguments. */
const worldly: Readonly<Record<string, readonly string[]>> = {
  Date: ["now"],
  Math: ["random"],
  crypto: ["randomUUID"],
  performance: ["now"],
  process: ["env", "hrtime"],
  globalThis: ["fetch", "process", "setTimeout", "setInterval"],
};
const worldlyNames = new Set(["randomUUID", "fetch", "setTimeout", "setInterval"]);

/** Names that a file declares itself: parameters, variables, functions, parts of destructured objects. */
function listOwnNames(file: SourceFile): Set<string> {
  const names = new Set<string>();
  walk(file.syntax, (node) => {
    const declares = ts.isVariableDeclaration(node) || ts.isParameter(node) || ts.isBindingElement(node);
    if ((declares || ts.isFunctionDeclaration(node)) && node.name !== undefined && ts.isIdentifier(node.name)) {
      names.add(node.name.text);
    }
  });
  return names;
}

/** True when an identifier stands for a value in scope, not for a property, a key or a type's member. */
function isFreeUse(node: ts.Identifier): boolean {
  const { parent } = node;
  if (ts.isPropertyAccessExpression(parent)) return parent.expression === node;
  if (ts.isPropertyAssignment(parent)) return parent.initializer === node;
  if (ts.isBindingElement(parent)) return parent.initializer === node;
  if (ts.isTypeQueryNode(parent)) return false;
  return !(ts.isPropertySignature(parent) || ts.isMethodSignature(parent) || ts.isMethodDeclaration(parent));
}

function readWorldlyUse(node: ts.Node, ownNames: ReadonlySet<string>): string | undefined {
  if (ts.isPropertyAccessExpression(node) && ts.isIdentifier(node.expression)) {
    const { expression, name } = node;
    return worldly[expression.text]?.includes(name.text) ? `${expression.text}.${name.text}` : undefined;
  }
  if (ts.isNewExpression(node) && node.expression.getText() === "Date" && (node.arguments?.length ?? 0) === 0) {
    return "new Date()";
  }
  if (ts.isIdentifier(node) && worldlyNames.has(node.text) && !ownNames.has(node.text) && isFreeUse(node)) {
    return node.text;
  }
  return undefined;
}

function findWorldlyUses(file: SourceFile): string[] {
  const ownNames = listOwnNames(file);
  const found = new Set<string>();
  walk(file.syntax, (node) => {
    const what = readWorldlyUse(node, ownNames);
    const isMeasured = what === "performance.now" && file.path.startsWith("src/testing/"); // suites time real upstreams
    if (what !== undefined && !isMeasured) found.add(`reaches for ${what}`);
  });
  return [...found];
}

/** STYLE.md, 8: the world is an argument. */
export const worldRules: readonly Rule[] = [
  {
    title:
      "src outside the server and the command line reaches for no clock, chance, environment or network of its own",
    find: findInEach((path) => /^src\/(?!cli\/|server\/)/.test(path), findWorldlyUses),
    planted: [
      { "src/a.ts": "const at = Date.now();" },
      { "src/a.ts": "const options = { now: Date.now };" },
      { "src/a.ts": "const at = new Date();" },
      { "src/a.ts": "const at = performance.now();" },
      { "src/a.ts": "const chance = Math.random();" },
      { "src/a.ts": 'import { randomUUID } from "node:crypto"; const id = randomUUID();' },
      { "src/a.ts": "const id = crypto.randomUUID();" },
      { "src/a.ts": "const key = process.env.KEY;" },
      { "src/a.ts": "await fetch(url);" },
      { "src/a.ts": "const ask = { fetch: fetch };" },
      { "src/a.ts": "await globalThis.fetch(url);" },
      { "src/a.ts": "setTimeout(then, 5);" },
    ],
  },
];
