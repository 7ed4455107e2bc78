import type { Provider } from "../../engine/ports/provider.ts";
import { findSimilar } from "../../engine/runtime/did-you-mean.ts";
import { checkConfig } from "../config/check.ts";
import { misconfigured } from "../config/references.ts";
import type { ProvidersConfig } from "../config/shape.ts";
import { onlyPresent } from "../present-options.ts";
import type { Environment } from "../terminal/terminal.ts";
import { placesOf, readVariables } from "./environment.ts";
import { customKind, kinds, type ProviderKind, type ProviderSettings } from "./kinds.ts";
import type { ProviderOrder, ProviderSource } from "./source.ts";

/** The `providers` section of a configuration. */
export interface Declared {
  readonly orders: readonly ProviderOrder[];
  /** Providers that came as objects. */
  readonly sources: readonly ProviderSource[];
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

/** A provider object of a TypeScript configuration, such as `openai({ apiKey })`. The engine validates its methods. */
function readObject(value: unknown, position: number, file: string): ProviderSource {
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

interface DeclarationContext {
  readonly file: string;
  readonly env: Environment;
}

function readEntry(name: string, value: unknown, { file, env }: DeclarationContext): ProviderOrder {
  const path = `providers.${name}`;
  if (!/^[a-z0-9][a-z0-9._-]*$/.test(name)) {
    throw misconfigured(
      path,
      "is not a valid provider name: use lower-case letters, digits, dots, dashes and underscores",
    );
  }
  if (value !== true && (typeof value !== "object" || value === null || Array.isArray(value))) {
    throw misconfigured(path, "must be an object of settings, `true`, or `false` to switch it off");
  }
  const { kind: requested, ...rest } = value === true ? {} : (value as Readonly<Record<string, unknown>>);
  const kind = kindOf(name, requested, rest);
  const provided = checkConfig(kind.shape, rest, path) as ProviderSettings; // every shape has these fields, or none of them
  const reported = readVariables(kind, env);
  const settings = complete(kind, provided, reported.settings);
  if (settings.apiKey !== undefined && settings.credentials !== undefined) {
    throw misconfigured(`${path}.apiKey`, "cannot be combined with `credentials`; set one of them");
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
  return { name, vendor: vendorOf(name, requested), from: file, kind, settings };
}

/** Fills missing settings from the kind's environment variables. A `resource` counts as an address. */
function complete(kind: ProviderKind, provided: ProviderSettings, reported: ProviderSettings): ProviderSettings {
  if (!kind.needsKey) return onlyPresent(provided);
  const { apiKey, baseUrl, ...rest } = reported;
  const key = apiKey === undefined || provided.credentials ? {} : { apiKey };
  const address = baseUrl === undefined || "resource" in provided ? {} : { baseUrl };
  const hasPlace = placesOf(kind).some((place) => place in provided);
  return { ...(hasPlace ? {} : rest), ...key, ...address, ...onlyPresent(provided) };
}

/** The vendor whose prices count: that of the kind, or of the name. What stands in for a vendor, under its name, has the vendor's. */
function vendorOf(name: string, requested: unknown): string | undefined {
  const kind = requested === "local" ? undefined : requested;
  return [kind, name, requested].find((each): each is string => typeof each === "string" && Object.hasOwn(kinds, each));
}

function kindOf(name: string, requested: unknown, settings: Readonly<Record<string, unknown>>): ProviderKind {
  if (requested !== undefined && typeof requested !== "string")
    throw misconfigured(`providers.${name}.kind`, "must be a string");
  const kind = Object.hasOwn(kinds, requested ?? name) ? kinds[requested ?? name] : undefined;
  if (kind !== undefined) return kind;
  if (requested !== undefined) throw misconfigured(`providers.${name}.kind`, `is unknown${hintFor(requested)}`);
  if (settings.baseUrl !== undefined) return customKind;
  throw misconfigured(
    `providers.${name}`,
    `is unknown, and has no \`baseUrl\` as a server of your own has${hintFor(name)}`,
  );
}

function hintFor(name: string): string {
  const similar = findSimilar(name, Object.keys(kinds));
  return similar === undefined ? `. Valid kinds: ${Object.keys(kinds).join(", ")}` : `; did you mean \`${similar}\`?`;
}
