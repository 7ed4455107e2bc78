// Has the declarations of `dist` add to each other's types as the sources do: `declare module "../ports/record-kinds.ts" { … }`.
// The bundler of declarations keeps such a block as it is, though the file of that name is now part of another, whose exports have new names.
//   node scripts/merge-declarations.ts
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const dist = fileURLToPath(new URL("../dist", import.meta.url));
const files = readdirSync(dist).filter((name) => name.endsWith(".d.ts"));
const texts = new Map(files.map((file) => [file, readFileSync(join(dist, file), "utf8")]));

/** A block that adds to the types of a source. */
const block = /^declare module "(\.[^"]*\.ts)" \{\n([^}]*(?:\}\n[^}]*)*?)^\}$/gm;

const declarationOf = (name: string) => new RegExp(`^interface ${name}\\b`, "m");

/** The file that declares all of these types; the bundler puts a source into one file. */
function homeOf(names: readonly string[]): string {
  const homes = files.filter((file) => names.every((name) => declarationOf(name).test(texts.get(file) ?? "")));
  const [home, ...others] = homes;
  if (home === undefined || others.length > 0)
    throw new Error(`${names.join(", ")} are declared together by ${homes.length} files of dist`);
  return home;
}

/** Only a type that is exported where it is declared can be added to. */
function exportTypes(home: string, names: readonly string[]): void {
  const text = names.reduce(
    (all, name) => all.replace(declarationOf(name), `export interface ${name}`),
    texts.get(home) ?? "",
  );
  texts.set(home, text);
}

let count = 0;
for (const file of files) {
  for (const [all = "", source = "", body = ""] of (texts.get(file) ?? "").matchAll(block)) {
    const names = [...body.matchAll(/^ {4}interface (\w+)/gm)].map(([, name = ""]) => name);
    const home = homeOf(names);
    exportTypes(home, names);
    const merged = all.replace(`"${source}"`, `'./${home.replace(/\.d\.ts$/, ".js")}'`);
    texts.set(
      file,
      (texts.get(file) ?? "").replace(all, () => merged),
    );
    count++;
  }
}
if (count === 0)
  throw new Error("no declarations of dist add to the types of others: those of the portal's records should");
for (const [file, text] of texts) writeFileSync(join(dist, file), text);
