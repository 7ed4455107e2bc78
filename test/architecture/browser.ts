import ts from "typescript";
import { findInEach, type Rule } from "./rule.ts";
import { type SourceFile, walk } from "./tree.ts";

const isConsole = (path: string) => path.startsWith("console/src/");

/** The properties, attributes and functions that make markup or code of text. */
const markup = new Set([
  ...["innerHTML", "outerHTML", "dangerouslySetInnerHTML", "insertAdjacentHTML"],
  ...["srcdoc", "write", "eval", "Function", "createContextualFragment", "DOMParser"],
]);

/** The only file that stores something, and what it may store: preferences; the router marks that it has reloaded. */
const storing = new Set(["console/src/app/preferences.ts", "console/src/app/routes.tsx"]);

function findIdentifiers({ syntax }: SourceFile, isBad: (name: string) => boolean): string[] {
  const found: string[] = [];
  walk(syntax, (node) => {
    if (ts.isIdentifier(node) && isBad(node.text)) found.push(node.text);
  });
  return found;
}

/** JSX attributes `style="…"`; the policy refuses them in markup, and classes do the same. */
function findInlineStyles({ syntax }: SourceFile): string[] {
  const found: string[] = [];
  walk(syntax, (node) => {
    if (ts.isJsxAttribute(node) && node.name.getText() === "style") found.push("an inline style");
  });
  return found;
}

/** Text of a person's language between tags: letters that are no name of the program. */
function findLiteralTexts({ syntax }: SourceFile): string[] {
  const found: string[] = [];
  walk(syntax, (node) => {
    if (!ts.isJsxText(node)) return;
    const text = node.text.trim();
    if (/\p{L}{2}/u.test(text) && text !== "tollgate") found.push(`the text “${text}”`);
  });
  return found;
}

/** What the web console may do. */
export const browserRules: readonly Rule[] = [
  {
    title: "the console takes types of src, and none of its code",
    find: findInEach(isConsole, ({ imports }) =>
      imports
        .filter(({ target, isType }) => /^(src|adapters)\//.test(target) && !isType)
        .map(({ target }) => `imports ${target}`),
    ),
    planted: [{ "console/src/a.ts": 'import { areas } from "../../src/operations/portal/table.ts";' }],
  },
  {
    title: "the console makes no markup and no code of text",
    find: findInEach(isConsole, (file) => findIdentifiers(file, (name) => markup.has(name))),
    planted: [
      { "console/src/a.tsx": "element.innerHTML = text;" },
      { "console/src/a.tsx": "const a = <div dangerouslySetInnerHTML={{ __html: text }} />;" },
    ],
  },
  {
    title: "the console has no inline styles",
    find: findInEach(isConsole, findInlineStyles),
    planted: [{ "console/src/a.tsx": 'const a = <div style="color: red" />;' }],
  },
  {
    title: "only preferences are stored in the browser",
    find: findInEach(
      (path) => isConsole(path) && !storing.has(path),
      (file) =>
        findIdentifiers(file, (name) => ["localStorage", "sessionStorage", "indexedDB", "cookie"].includes(name)),
    ),
    planted: [{ "console/src/api/a.ts": 'localStorage.setItem("a", token);' }],
  },
  {
    title: "what the console says comes from the texts",
    find: findInEach(isConsole, findLiteralTexts),
    planted: [{ "console/src/a.tsx": "const a = <p>Sign in</p>;" }],
  },
];
