import openapiTS, { astToString, type OpenAPI3 } from "openapi-typescript";
import ts from "typescript";
import { expect, test } from "vitest";
import { memoryStore } from "../../adapters/stores/memory/index.ts";
import { openGateway } from "../portal/support/gateway.ts";

/** A client as somebody would write it over the generated types: every field that it reads has a type of its own. */
const client = `
import type { paths } from "./schema.ts";
type Answer<Path extends keyof paths, Method extends "get" | "post" | "patch"> =
  paths[Path][Method] extends { responses: { 200: { content: { "application/json": infer Body } } } } ? Body : never;
export function bill(request: Answer<"/ai/requests/{event_id}", "get">): number {
  return request.attempts.flatMap(({ items }) => items).reduce((sum, { quantity, rate }) => sum + quantity * rate, 0);
}
export function spent(keys: Answer<"/ai/keys", "get">): readonly (readonly [string, number])[] {
  return keys.map(({ name, tokens_usage, budgets, metadata }) => {
    const limit: number | undefined = budgets[0]?.max_limit;
    const team: string | undefined = metadata?.["team"];
    return [team ?? name, (tokens_usage?.cost ?? 0) / (limit ?? 1)];
  });
}
export function cost(project: Answer<"/ai/project/{ai_project_id}/cost", "get">): number {
  return Object.values(project.usage).reduce((sum, { price, refused }) => sum + price + refused, 0);
}
export function targets(plan: Answer<"/ai/plan", "post">): readonly string[] {
  return [...plan.targets.map(({ target }) => target), ...plan.skipped.map(({ message }) => message)];
}
export function models(answer: Answer<"/ai/models", "get">): readonly string[] {
  return answer.llms.filter(({ available }) => available).map(({ id }) => id);
}
`;

const files = new Map<string, string>([["/generated/client.ts", client]]);

async function compile() {
  const gateway = await openGateway(memoryStore());
  const { status, body } = await gateway.ask({ method: "GET", path: "/openapi.json" });
  expect(status).toBe(200);
  files.set("/generated/schema.ts", astToString(await openapiTS(body as OpenAPI3)));
  const options: ts.CompilerOptions = {
    ...{ strict: true, noEmit: true, exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true },
    ...{ allowImportingTsExtensions: true, types: [], target: ts.ScriptTarget.ES2023, module: ts.ModuleKind.ESNext },
    moduleResolution: ts.ModuleResolutionKind.Bundler,
  };
  const host = ts.createCompilerHost(options);
  const { getSourceFile, fileExists, readFile, directoryExists = () => false } = host;
  host.directoryExists = (name) => name === "/generated" || directoryExists(name);
  host.getSourceFile = (name, ...more) => {
    const text = files.get(name);
    return text === undefined ? getSourceFile(name, ...more) : ts.createSourceFile(name, text, ts.ScriptTarget.ES2023);
  };
  host.fileExists = (name) => files.has(name) || fileExists(name);
  host.readFile = (name) => files.get(name) ?? readFile(name);
  return ts.createProgram([...files.keys()], options, host);
}

/** Lists where `unknown` or `any` is in the types of a program's paths that begin with a text; the generator's own index of headers is no answer. */
function findUnknown(program: ts.Program, beginning: string): { paths: number; unknown: string[] } {
  const checker = program.getTypeChecker();
  const source = program.getSourceFile("/generated/schema.ts");
  if (!source) throw new Error("nothing was generated");
  const module = checker.getSymbolAtLocation(source);
  const paths = module && checker.getExportsOfModule(module).find(({ name }) => name === "paths");
  if (!paths) throw new Error("there are no paths");
  const found = new Set<string>();
  const seen = new Set<ts.Type>();
  const walk = (type: ts.Type, where: string): void => {
    if (type.flags & (ts.TypeFlags.Unknown | ts.TypeFlags.Any)) return void found.add(where);
    if (seen.has(type)) return;
    seen.add(type);
    if (type.isUnionOrIntersection()) for (const part of type.types) walk(part, where);
    if (!(type.flags & ts.TypeFlags.Object)) return;
    for (const element of checker.getTypeArguments(type as ts.TypeReference)) walk(element, `${where}[]`);
    if (checker.isArrayType(type)) return;
    for (const { type: indexed } of checker.getIndexInfosOfType(type)) walk(indexed, `${where}.*`);
    for (const property of type.getProperties()) {
      const isHeaders = property.name === "headers" && /\.responses\.(?:\d+|default)$/.test(where);
      if (!isHeaders) walk(checker.getTypeOfSymbolAtLocation(property, source), `${where}.${property.name}`);
    }
  };
  const wanted = checker
    .getDeclaredTypeOfSymbol(paths)
    .getProperties()
    .filter(({ name }) => name.startsWith(beginning));
  for (const path of wanted) walk(checker.getTypeOfSymbolAtLocation(path, source), path.name);
  return { paths: wanted.length, unknown: [...found] };
}

test("a client that is generated from the document compiles strictly, and knows every field of the AI area", async () => {
  const program = await compile();
  const problems = ts
    .getPreEmitDiagnostics(program)
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, " "));
  expect(problems.join("\n")).toBe("");
  const { paths, unknown } = findUnknown(program, "/ai/");
  expect(paths).toBeGreaterThan(25);
  expect(unknown.join("\n")).toBe("");
}, 240_000);
