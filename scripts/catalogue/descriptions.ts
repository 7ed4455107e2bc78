import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { ModelDescription } from "../../src/engine/ports/prices.ts";
import { pack } from "./encode.ts";
import { modelsDevNames } from "./modelsdev.ts";
import { piFiles } from "./pi.ts";
import { fetchSource, sources } from "./sources.ts";

interface Described {
  readonly id?: string;
  readonly name?: string;
  readonly knowledge?: string;
}
type Lists = ReadonlyMap<string, Described>;

const keyOf = (provider: string, model: string) => `${provider}/${model}`.toLowerCase();

/** Names and knowledge cutoffs as the sources have them, by `provider/model`; the newest list's name stands. */
async function readDescriptions(): Promise<Map<string, ModelDescription>> {
  const found = new Map<string, ModelDescription>();
  for (const lists of [await readModelsDevLists("tokenlens"), await readModelsDevLists("modelsdev"), readPiLists()])
    for (const [key, { name, knowledge }] of lists) {
      const known = found.get(key);
      const cutoff = /^\d{4}-\d{2}/.exec(knowledge ?? "")?.[0] ?? known?.knowledge_cutoff;
      found.set(key, { name: name ?? known?.name, knowledge_cutoff: cutoff });
    }
  return found;
}

async function readModelsDevLists(key: "tokenlens" | "modelsdev"): Promise<Lists> {
  const folder = join(fetchSource(sources[key]), "dist/providers");
  const lists = new Map<string, Described>();
  for (const [provider, names] of Object.entries(modelsDevNames))
    for (const name of names) {
      const module: object = await import(join(folder, `${name}.js`)).catch(() => ({}));
      const [listed] = Object.values(module) as { readonly models?: Readonly<Record<string, Described>> }[];
      for (const [model, facts] of Object.entries(listed?.models ?? {})) lists.set(keyOf(provider, model), facts);
    }
  return lists;
}

function readPiLists(): Lists {
  const folder = join(fetchSource(sources.pi), "dist/providers/data");
  const lists = new Map<string, Described>();
  for (const [provider, file] of Object.entries(piFiles)) {
    const read: Record<string, Record<string, Described>> = JSON.parse(
      readFileSync(join(folder, `${file}.json`), "utf8"),
    );
    for (const described of Object.values(read).flatMap((list) => Object.values(list)))
      if (described.id !== undefined) lists.set(keyOf(provider, described.id), described);
  }
  return lists;
}

/** The module with the descriptions of these models: a line each, `provider/model|name|cutoff`, packed. */
export async function writeDescriptions(
  models: readonly { readonly provider: string; readonly model: string }[],
): Promise<string> {
  const known = await readDescriptions();
  const lines = models.flatMap(({ provider, model }) => {
    const { name, knowledge_cutoff: cutoff } = known.get(keyOf(provider, model)) ?? {};
    if (name === undefined && cutoff === undefined) return [];
    return [`${provider}/${model}|${name ?? ""}|${cutoff ?? ""}`.replaceAll("\n", " ")];
  });
  return `// Made by scripts/describe-models.ts from the packages that \`snapshot.ts\` names.

/** Names and knowledge cutoffs of ${lines.length} models, in the format that \`description.ts\` reads, packed. */
export const descriptions =
  ${JSON.stringify(pack(lines.sort().join("\n")))};
`;
}
