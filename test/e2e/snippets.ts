import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { root } from "./packed.ts";

/** A code block of a page: as a program of a name that says where it stands. */
export interface Snippet {
  readonly name: string;
  readonly code: string;
}

function readBlocks(page: string, kind: "example" | "fragment"): Snippet[] {
  const text = readFileSync(join(root, page), "utf8");
  const fence = kind === "example" ? "ts runnable" : "ts";
  return [...text.matchAll(new RegExp(`^\`\`\`${fence}\\n(.*?)^\`\`\`$`, "gms"))].map(([, code = ""], index) => {
    return { name: `${page.toLowerCase().replace(".md", "").replace("/", "-")}-${kind}-${index + 1}.ts`, code };
  });
}

const documents = readdirSync(join(root, "docs")).filter((name) => name.endsWith(".md"));
const pages = ["README.md", "CONTRIBUTING.md", ...documents.map((name) => `docs/${name}`)];

/** The code blocks that are marked to be run. */
export const examples: readonly Snippet[] = pages.flatMap((page) => readBlocks(page, "example"));

/** The code blocks that are shown and not run; each is a module, which may take `takenForGranted` as there. */
export const fragments: readonly Snippet[] = pages
  .flatMap((page) => readBlocks(page, "fragment"))
  .map(({ name, code }) => ({ name, code: `${code}export {};\n` }));

/** What fragments speak of and do not make. The SDK of one vendor stands here for that of any. */
export const takenForGranted = `
declare const engine: import("tollgate").Engine;
declare const providers: readonly import("tollgate").Provider[];
declare const store: ReturnType<typeof import("tollgate/stores/memory").memoryStore>;
declare const cloud: ReturnType<typeof import("tollgate/backends/openstack").openstack>;
declare const key: import("tollgate").VirtualKey;
declare const apiKey: string;
declare const token: string;
declare const tokens: Readonly<Record<string, string>>;
declare module "@ai-sdk/mistral" {
  export function createMistral(options: { apiKey: string }): import("@ai-sdk/provider").ProviderV4;
}
`;

const { devDependencies } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));

/** The packages that snippets import beside tollgate. */
function listImported(snippets: readonly Snippet[]): string[] {
  return snippets
    .flatMap(({ code }) => [...code.matchAll(/(?: from|^import) "((?:@[^/"]+\/)?[^/"]+)/gm)])
    .map(([, name = ""]) => name)
    .filter((name) => name in devDependencies);
}

/** What the examples need beside tollgate to compile and run, at the versions of this repository. */
export function listPackages(): string[] {
  const names = new Set(["typescript", "@types/node", ...listImported(examples)]);
  return [...names].map((name) => `${name}@${devDependencies[name]}`);
}

/** Puts a package of this repository into a project, with what it depends on. */
export function linkPackage(folder: string, name: string): void {
  const place = join(folder, "node_modules", name);
  if (existsSync(place)) return;
  mkdirSync(dirname(place), { recursive: true });
  symlinkSync(join(root, "node_modules", name), place);
}

/** Puts into a project what only the fragments need, and only for its types: a dozen vendors' packages take minutes to install. */
export function linkPackages(folder: string): void {
  const imported = ["@ai-sdk/provider", ...listImported(fragments)];
  const types = imported.map((name) => `@types/${name}`).filter((name) => existsSync(join(root, "node_modules", name)));
  for (const name of new Set([...imported, ...types])) linkPackage(folder, name);
}
