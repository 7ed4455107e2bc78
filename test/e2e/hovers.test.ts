import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { beforeAll, describe, expect, it } from "vitest";
import { buildIfNeeded, root } from "./packed.ts";

beforeAll(() => buildIfNeeded(), 300_000);

/** A program; a comment stands behind each name that an editor is asked about. */
const program = `
import { createEngine, type ChatRequest } from "tollgate";
const engine = createEngine({ providers: [] });
const request: ChatRequest = { model: "a/b", messages: [], temperature/*randomness*/: 1, max_completion_tokens/*most*/: 5 };
const answer = await engine.chat(request);
answer.usage?.prompt_tokens/*input*/;
answer.choices[0]?.message.content/*text*/;
engine.chat/*chat*/; engine.embed/*embed*/; engine.rerank/*rerank*/; engine.decide/*decide*/; engine.models/*models*/;
await engine.keys.create({ name: "x", budgets: [{ max_limit/*limit*/: 3, reset_duration: "1d" }] });
createEngine({ providers: [], timeouts/*deadlines*/: { connect: "5s" } });
`;

/** What an editor shows of each marked name: its type, and the sentence about it. */
function hovers(): ReadonlyMap<string, { readonly type: string; readonly sentence: string }> {
  const file = join(root, "test", "hovers.ts");
  const read = (path: string) => (path === file ? program : ts.sys.readFile(path));
  const settings: ts.CompilerOptions = {
    ...{ module: ts.ModuleKind.NodeNext, target: ts.ScriptTarget.ES2022, strict: true, types: ["node"] },
    paths: { tollgate: [join(root, "dist/index.d.ts")] },
  };
  const service = ts.createLanguageService({
    ...ts.sys,
    useCaseSensitiveFileNames: () => true,
    getScriptFileNames: () => [file],
    getScriptVersion: () => "1",
    getScriptSnapshot: (path) => {
      const text = read(path);
      return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text);
    },
    getCurrentDirectory: () => root,
    getCompilationSettings: () => settings,
    getDefaultLibFileName: ts.getDefaultLibFilePath,
    readFile: read,
    fileExists: (path) => path === file || ts.sys.fileExists(path),
  });
  const marks = [...program.matchAll(/\/\*(\w+)\*\//g)];
  return new Map(
    marks.map(({ 1: name = "", index }) => {
      const { displayParts, documentation } = service.getQuickInfoAtPosition(file, index - 1) ?? {};
      const type = ts.displayPartsToString(displayParts);
      return [name, { type, sentence: ts.displayPartsToString(documentation) }];
    }),
  );
}

describe("what an editor shows", () => {
  it("is the document's sentence about a field, and the option's own about an option", () => {
    const shown = hovers();
    const sentences = ["randomness", "most", "input", "text", "limit", "deadlines"].map((name) => [
      name,
      shown.get(name)?.sentence,
    ]);
    expect(Object.fromEntries(sentences)).toMatchObject({
      randomness: "Randomness of the output, 0 to 2.",
      most: "The largest number of tokens of output.",
      input: "Tokens of input.",
      text: "Text, or parts of text, images, audio and files.",
      limit: expect.stringContaining("US dollars, which must be 0 or 0.000000001 at least"),
      deadlines: expect.stringContaining("milliseconds"),
    });
  });

  it("names what a method answers, and does not spell it out", () => {
    const shown = hovers();
    const answers = { chat: "ChatResponse", embed: "EmbeddingResponse", rerank: "RerankResponse" };
    for (const [method, answer] of Object.entries({ ...answers, decide: "DecisionResponse" }))
      expect(shown.get(method)?.type, method).toMatch(new RegExp(`Promise<${answer}(?:<[^>]*>)?>`));
  });
});

/** Fields of the published types without a comment, as of now: it may only fall. */
const bare = 1_770;

it(`no more than ${bare} fields of the published types lack a comment`, () => {
  let [all, without] = [0, 0];
  const visit = (node: ts.Node): void => {
    const type = ts.isPropertySignature(node) ? (node.type?.getText() ?? "") : "";
    const isField = ts.isPropertySignature(node) && type !== `"${node.name.getText().replaceAll('"', "")}"`;
    if (isField && !/^(?:import\(.*\)\.)?Operation</.test(type)) {
      all += 1;
      if (ts.getJSDocCommentsAndTags(node).length === 0) without += 1;
    }
    ts.forEachChild(node, visit);
  };
  const dist = join(root, "dist");
  for (const file of readdirSync(dist).filter((name) => name.endsWith(".d.ts")))
    visit(ts.createSourceFile(file, readFileSync(join(dist, file), "utf8"), ts.ScriptTarget.Latest, true));
  expect(all).toBeGreaterThan(5_000);
  expect(without).toBeLessThanOrEqual(bare);
});
