// Writes the sentence about each field into the declarations of `dist`: what an editor shows on hover is what the OpenAPI document says.
// TypeScript carries the comment of a schema's field over to the types that are inferred from it, but does not write it into a declaration.
//   node scripts/describe-declarations.ts
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";
import { describeField } from "../src/operations/document/field-texts.ts";

const dist = fileURLToPath(new URL("../dist", import.meta.url));

/** A type as zod's own declarations name it, under each of the names that the bundler imports zod by. */
const ofZod = /^(?:z|zod)\w*\./;

interface Insertion {
  readonly at: number;
  readonly sentence: string;
}

/** The fields without a comment that the document has a sentence about: of schemas, and of other types those that have a name of the wire. */
function findInsertions(source: ts.SourceFile): Insertion[] {
  const found: Insertion[] = [];
  const visit = (node: ts.Node, owner: string): void => {
    const name = nameOf(node);
    if (ts.isPropertySignature(node) && name !== undefined && ts.getJSDocCommentsAndTags(node).length === 0) {
      const type = node.type?.getText(source) ?? "";
      const isSchema = ofZod.test(type);
      const isWire = name.includes("_") && type !== `"${name}"`; // a word of ours alone, as `to`, means another thing elsewhere
      const sentence = isSchema || isWire ? describeField(isSchema ? owner : "", name) : undefined;
      if (sentence !== undefined) found.push({ at: node.getStart(source), sentence });
    }
    const isOwner =
      ts.isVariableDeclaration(node) || ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node);
    const isArea = owner === "areas" && ts.isPropertySignature(node);
    ts.forEachChild(node, (child) => visit(child, isOwner || isArea ? (name ?? owner) : owner));
  };
  visit(source, "");
  return found;
}

function nameOf(node: ts.Node): string | undefined {
  const { name } = node as ts.NamedDeclaration;
  return name && (ts.isIdentifier(name) || ts.isStringLiteral(name)) ? name.text : undefined;
}

/** A declaration file with its comments. */
function describe(text: string, insertions: readonly Insertion[]): string {
  const ends = [...insertions.slice(1).map(({ at }) => at), text.length];
  const head = text.slice(0, insertions[0]?.at);
  const pieces = insertions.map(({ at, sentence }, n) => {
    const indent = /[ \t]*$/.exec(text.slice(0, at))?.[0] ?? "";
    return `/** ${sentence.replaceAll("*/", "*\\/")} */\n${indent}${text.slice(at, ends[n])}`;
  });
  return [head, ...pieces].join("");
}

for (const file of readdirSync(dist).filter((name) => name.endsWith(".d.ts"))) {
  const path = join(dist, file);
  const text = readFileSync(path, "utf8");
  const insertions = findInsertions(ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true));
  if (insertions.length > 0) writeFileSync(path, describe(text, insertions));
}
