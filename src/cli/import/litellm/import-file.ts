import { readFile, writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import { LineCounter, parseDocument, stringify } from "yaml";
import { GatewayError } from "../../../engine/errors.ts";
import { kinds } from "../../../server/providers/kinds.ts";
import type { Terminal } from "../../../server/terminal/terminal.ts";
import { convertDeployments, type KnownKinds } from "./deployments.ts";
import { type FieldsByName, fieldsOf, type Remark } from "./remarks.ts";
import { convertRoutes } from "./routes.ts";
import { convertSettings } from "./settings.ts";

/** What to read, and where to write. */
export interface ImportQuestion {
  readonly file: string;
  readonly out: string | undefined;
}

/** Converts a file; resolves with the exit code. Messages quote nothing of the file. */
export async function importFile({ file, out }: ImportQuestion, { folder, ...terminal }: Terminal): Promise<number> {
  const text = await readFile(resolve(folder, file), "utf8").catch((thrown: NodeJS.ErrnoException) => {
    throw refuse(`${file} cannot be read: ${thrown.code ?? "unknown"}`);
  });
  const { value, lineOf } = parse(file, text);
  const { config, remarks } = convertLitellm(value, kinds);
  const written = `# Made by \`tollgate import litellm\`.\n${stringify(config, { lineWidth: 0, aliasDuplicateObjects: false })}`;
  if (out === undefined) terminal.out(written);
  else await writeNew(resolve(folder, out), out, written);
  const lines = remarks
    .map(({ path, problem }) => ({ line: lineOf(path), place: path.join("."), problem }))
    .toSorted((one, other) => one.line - other.line);
  for (const { line, place, problem } of lines) terminal.err(`${file}:${line}: ${place}: ${problem}\n`);
  if (lines.length > 0) terminal.err(`${lines.length} to look at; what is not named here was converted.\n`);
  return 0;
}

function parse(file: string, text: string) {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, logLevel: "error" });
  const [error] = document.errors;
  if (error !== undefined) throw refuse(`${file} is not valid YAML at line ${lines.linePos(error.pos[0]).line}`);
  const value = toValue(file, () => document.toJS({ maxAliasCount: 100 }));
  if (typeof value !== "object" || value === null || !("model_list" in value))
    throw refuse(`${file} has no \`model_list\`: it is no configuration of a LiteLLM proxy`);
  const lineOf = (path: readonly (string | number)[]): number => {
    for (let length = path.length; length > 0; length--) {
      const node: unknown = document.getIn(path.slice(0, length), true);
      const range =
        typeof node === "object" && node !== null && "range" in node ? (node.range as number[] | null) : null;
      if (range?.[0] !== undefined) return lines.linePos(range[0]).line;
    }
    return 1;
  };
  return { value, lineOf };
}

function toValue(file: string, read: () => unknown): unknown {
  try {
    return read();
  } catch {
    throw refuse(`${file} is not valid YAML: an alias leads nowhere or to too much`);
  }
}

async function writeNew(path: string, name: string, text: string): Promise<void> {
  await writeFile(path, text, { flag: "wx" }).catch((thrown: NodeJS.ErrnoException) => {
    throw refuse(
      thrown.code === "EEXIST"
        ? `${name} is there already: name another file`
        : `${name} cannot be written: ${thrown.code}`,
    );
  });
}

function refuse(problem: string): GatewayError {
  return new GatewayError("invalid_configuration", `${problem}.`);
}

/** A configuration of tollgate, and what of the other one is not in it. */
export interface Converted {
  readonly config: FieldsByName;
  readonly remarks: readonly Remark[];
}

/** Converts the configuration of a LiteLLM proxy. No secret of it is in the result. */
function convertLitellm(value: unknown, kinds: KnownKinds): Converted {
  const document = fieldsOf(value);
  const { providers, prices, deployments, remarks } = convertDeployments(document.model_list, kinds);
  const routes = convertRoutes(deployments, {
    litellm: fieldsOf(document.litellm_settings),
    router: fieldsOf(document.router_settings),
  });
  const settings = convertSettings(document);
  const config = {
    ...settings.config,
    ...(Object.keys(prices).length === 0 ? {} : { prices }),
    ...(routes.rules.length === 0 ? {} : { rules: routes.rules }),
    providers,
  };
  return { config, remarks: [...remarks, ...routes.remarks, ...settings.remarks] };
}
