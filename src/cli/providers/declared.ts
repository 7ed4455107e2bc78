import type { Provider } from "../../ports.ts";
import { checkConfig } from "../config/check.ts";
import { misconfigured } from "../config/references.ts";
import type { ProvidersConfig } from "../config/shape.ts";
import { onlyPresent } from "../present.ts";
import { findSimilar } from "../similar.ts";
import type { Environment } from "../terminal.ts";
import { readVariables } from "./environment.ts";
import { customKind, type Kind, kinds, type Settings } from "./kinds.ts";
import type { Order, Source } from "./source.ts";

/** What a configuration says of providers. */
export interface Declared {
  readonly orders: readonly Order[];
  /** Providers that came as objects. */
  readonly sources: readonly Source[];
  /** Names that were switched off with `false`. */
  readonly off: ReadonlySet<string>;
}

/** Reads `providers` of a configuration; throws `invalid_configuration` naming the field. */
export function readDeclared(config: ProvidersConfig, file: string, env: Environment): Declared {
  if (Array.isArray(config))
    return { orders: [], sources: config.map((each, at) => readObject(each, at, file)), off: new Set() };
  const entries = Object.entries(config);
  const off = new Set(entries.filter(([, value]) => value === false).map(([name]) => name));
  const orders = entries
    .filter(([name]) => !off.has(name))
    .map(([name, value]) => readEntry(name, value, { file, env }));
  return { orders, sources: [], off };
}

/** A provider object, as `openai({ apiKey })` of a TypeScript file gives it; the engine looks at it more closely. */
function readObject(value: unknown, position: number, file: string): Source {
  const path = `providers.${position}`;
  if (typeof value !== "object" || value === null)
    throw misconfigured(path, "must be a provider, such as openai({ … })");
  if (!("name" in value) || typeof value.name !== "string") throw misconfigured(`${path}.name`, "must be a string");
  const provider = value as Provider; // the name is there; methods are checked by `createEngine`
  return {
    name: value.name,
    vendor: undefined,
    from: file,
    address: undefined,
    keyEnd: undefined,
    keys: Array.isArray(provider.credentials) ? provider.credentials.length : undefined,
    secrets: [],
    provider,
  };
}

interface Origin {
  readonly file: string;
  readonly env: Environment;
}

function readEntry(name: string, value: unknown, { file, env }: Origin): Order {
  const path = `providers.${name}`;
  if (!/^[a-z0-9][a-z0-9._-]*$/.test(name)) {
    throw misconfigured(
      path,
      "is no name for a provider: use lower-case letters, digits, dots, dashes and underscores",
    );
  }
  if (value !== true && (typeof value !== "object" || value === null || Array.isArray(value))) {
    throw misconfigured(path, "must be an object of settings, `true`, or `false` to switch it off");
  }
  const { kind: asked, ...rest } = value === true ? {} : (value as Readonly<Record<string, unknown>>);
  const kind = kindOf(name, asked, rest);
  const given = checkConfig(kind.shape, rest, path) as Settings; // every shape has these fields, or none of them
  const said = readVariables(kind, env);
  const settings = complete(kind, given, said.settings);
  if (settings.apiKey !== undefined && settings.credentials !== undefined) {
    throw misconfigured(`${path}.apiKey`, "is given beside `credentials`; one of them is enough");
  }
  if (kind.needsKey && settings.apiKey === undefined && settings.credentials === undefined) {
    throw misconfigured(
      `${path}.apiKey`,
      `is missing: write it as env:${kind.keyVariables[0] ?? "NAME"}, or set that variable`,
    );
  }
  if (
    kind.needsKey &&
    (settings.baseUrl ?? kind.baseUrl) === undefined &&
    !("resource" in settings || "region" in settings)
  ) {
    throw misconfigured(`${path}.baseUrl`, "is missing");
  }
  return { name, vendor: vendorOf(name, asked), from: file, kind, settings };
}

/** What the file leaves open is taken from the usual variables; where it is asked is said by a resource as well as by an address. */
function complete(kind: Kind, given: Settings, said: Settings): Settings {
  if (!kind.needsKey) return onlyPresent(given);
  const { apiKey, baseUrl, ...rest } = said;
  const key = apiKey === undefined || given.credentials ? {} : { apiKey };
  const address = baseUrl === undefined || "resource" in given ? {} : { baseUrl };
  return { ...rest, ...key, ...address, ...onlyPresent(given) };
}

function vendorOf(name: string, asked: unknown): string | undefined {
  return [asked, name].find((each): each is string => typeof each === "string" && Object.hasOwn(kinds, each));
}

function kindOf(name: string, asked: unknown, settings: Readonly<Record<string, unknown>>): Kind {
  if (asked !== undefined && typeof asked !== "string")
    throw misconfigured(`providers.${name}.kind`, "must be a string");
  const kind = Object.hasOwn(kinds, asked ?? name) ? kinds[asked ?? name] : undefined;
  if (kind !== undefined) return kind;
  if (asked !== undefined) throw misconfigured(`providers.${name}.kind`, `is unknown${hintFor(asked)}`);
  if (settings.baseUrl !== undefined) return customKind;
  throw misconfigured(
    `providers.${name}`,
    `is unknown, and has no \`baseUrl\` as a server of your own has${hintFor(name)}`,
  );
}

function hintFor(name: string): string {
  const similar = findSimilar(name, Object.keys(kinds));
  return similar === undefined ? `; there are ${Object.keys(kinds).join(", ")}` : `; did you mean \`${similar}\`?`;
}
