import {
  below,
  type FieldsByName,
  fieldsOf,
  listOf,
  numberIn,
  type Reasons,
  type Remark,
  referenceIn,
  remarkOthers,
  textIn,
} from "./remarks.ts";
import { readServer } from "./servers.ts";
import { readVendorModel } from "./vendors.ts";

/** What is asked of the kinds of providers that tollgate has. */
export type KnownKinds = Readonly<
  Record<string, { readonly keyVariables: readonly string[]; readonly needsKey: boolean }>
>;

/** One entry of `model_list`. */
export interface Deployment {
  /** What callers name. */
  readonly alias: string;
  readonly position: number;
  /** `provider/model` here. */
  readonly target: string;
  /** True where further keys of the same provider stand for the same target: it balances them itself. */
  readonly isAnotherKey: boolean;
}

/** `model_list`, converted. */
export interface Deployments {
  readonly providers: FieldsByName;
  readonly prices: FieldsByName;
  readonly deployments: readonly Deployment[];
  readonly remarks: readonly Remark[];
}

interface Credential {
  readonly reference: string;
  readonly weight: number | undefined;
  readonly models: Set<string>;
}

interface Group {
  readonly name: string;
  readonly settings: FieldsByName;
  readonly credentials: Map<string, Credential>;
}

interface Conversion {
  readonly kinds: KnownKinds;
  readonly references: References;
  readonly groups: Map<string, Group>;
  readonly prices: Map<string, FieldsByName>;
  readonly remarks: Remark[];
}

const known: ReadonlySet<string> = new Set([
  ...["model", "api_key", "api_base", "base_url", "weight", "organization", "aws_region_name", "vertex_project"],
  ...["vertex_location", "project_id", "extra_headers", "input_cost_per_token", "output_cost_per_token"],
]);

const ofDeployment = "limits of one deployment: here keys are limited, `tollgate key limit --help`";
const deadline = "a deadline of one deployment: here `timeouts` are the gateway's, a key's or a call's";
const reasons: Reasons = {
  rpm: ofDeployment,
  tpm: ofDeployment,
  max_parallel_requests: ofDeployment,
  max_budget: "a budget of one deployment: here keys have budgets, `tollgate key limit --help`",
  timeout: deadline,
  stream_timeout: deadline,
  max_retries: "retries of one deployment: here `retry` is the gateway's",
  api_version: "tollgate names no version: it calls the vendor's stable interface",
  aws_access_key_id:
    "a Bedrock provider of a file has a bearer token (AWS_BEARER_TOKEN_BEDROCK); AWS keys need a TypeScript file",
  aws_secret_access_key: "see aws_access_key_id",
};

/** Converts the entries of `model_list`. */
export function convertDeployments(list: unknown, kinds: KnownKinds): Deployments {
  const state: Conversion = { kinds, references: openReferences(), groups: new Map(), prices: new Map(), remarks: [] };
  const deployments = listOf(list).flatMap((entry, position) => convertEntry(fieldsOf(entry), position, state));
  const providers = [...state.groups.values()].map((group) => [group.name, settingsOf(group)] as const);
  return {
    providers: Object.fromEntries(providers),
    prices: Object.fromEntries(state.prices),
    deployments,
    remarks: state.remarks,
  };
}

function convertEntry(entry: FieldsByName, position: number, state: Conversion): Deployment[] {
  const parameters = fieldsOf(entry.litellm_params);
  const path = ["model_list", position, "litellm_params"];
  const remark = (remarks: readonly Remark[], at: Remark["path"] = path) =>
    void state.remarks.push(...below(at, remarks));
  const alias = textIn(entry.model_name);
  const vendor = readVendorModel(textIn(parameters.model) ?? "", state.kinds);
  if (alias === undefined || vendor === undefined) {
    remark([{ path: [], problem: "the entry is left out: its provider is not one of tollgate's, or it has no name" }]);
    return [];
  }
  const server = readServer(vendor.kind, parameters);
  if (server.problem !== undefined) {
    remark([{ path: [server.problem.field], problem: `${server.problem.words}: the entry is left out` }]);
    return [];
  }
  const group = groupOf(server.kind, server.settings, state);
  const isAnotherKey = addCredential({ group, parameters, model: vendor.model, kind: server.kind, remark }, state);
  remark([...server.remarks, ...remarkOthers(parameters, known, reasons)]);
  remark(remarkOthers(entry, new Set(["model_name", "litellm_params", "model_info"]), {}), ["model_list", position]);
  const target = `${group.name}/${vendor.model}`;
  addPrice(target, { ...fieldsOf(entry.model_info), ...parameters }, state);
  return [{ alias, position, target, isAnotherKey }];
}

/** Entries of one vendor at one address are one provider. */
function groupOf(kind: string, settings: FieldsByName, { groups, kinds }: Conversion): Group {
  const identity = JSON.stringify([kind, settings]);
  const former = groups.get(identity);
  if (former !== undefined) return former;
  const names = new Set([...groups.values()].map(({ name }) => name));
  let name = kind;
  for (let count = 2; names.has(name); count++) name = `${kind}-${count}`;
  const group = {
    name,
    settings: name === kind || !Object.hasOwn(kinds, kind) ? settings : { kind, ...settings },
    credentials: new Map(),
  };
  groups.set(identity, group);
  return group;
}

interface KeyedEntry {
  readonly group: Group;
  readonly parameters: FieldsByName;
  readonly model: string;
  readonly kind: string;
  readonly remark: (remarks: readonly Remark[]) => void;
}

/** Adds the key of an entry to its provider; true where the provider has another key for the model already. */
function addCredential(
  { group, parameters, model, kind, remark }: KeyedEntry,
  { kinds, references }: Conversion,
): boolean {
  const [usual] = kinds[kind]?.keyVariables ?? [];
  const variable = usual ?? `${group.name.toUpperCase().replace(/\W/g, "_")}_API_KEY`;
  const found = references.refer(parameters.api_key, variable);
  remark(below(["api_key"], found?.remarks ?? []));
  const reference = found?.reference ?? (kinds[kind]?.needsKey && usual !== undefined ? `env:${usual}` : undefined);
  if (reference === undefined) return false;
  const others = [...group.credentials.values()].filter((each) => each.reference !== reference);
  const credential = group.credentials.get(reference) ?? {
    reference,
    weight: numberIn(parameters.weight),
    models: new Set<string>(),
  };
  group.credentials.set(reference, credential);
  credential.models.add(model);
  return others.some(({ models }) => models.has(model));
}

function addPrice(target: string, fields: FieldsByName, { prices }: Conversion): void {
  const rates = ["input_cost_per_token", "output_cost_per_token"].flatMap((name) => {
    const rate = numberIn(fields[name]);
    return rate === undefined ? [] : [[name, rate] as const];
  });
  if (rates.length > 0) prices.set(target, Object.fromEntries(rates));
}

/** What a configuration says of the provider. */
function settingsOf({ settings, credentials }: Group): FieldsByName | true {
  const [first, ...others] = credentials.values();
  if (first === undefined) return Object.keys(settings).length === 0 ? true : settings;
  if (others.length === 0) return { ...settings, apiKey: first.reference };
  const listed = [first, ...others].map(({ reference, weight, models }, at) => ({
    id: `key-${at + 1}`,
    apiKey: reference,
    ...(weight === undefined ? {} : { weight }),
    ...(models.has("*") ? {} : { models: [...models] }),
  }));
  return { ...settings, credentials: listed };
}

/** References to environment variables in place of what stands in a file. */
export interface References {
  /** A reference for a secret, with a remark where it stood in the file itself; `usual` is the variable that it is to be put into. */
  refer(value: unknown, usual: string): { readonly reference: string; readonly remarks: readonly Remark[] } | undefined;
}

/** Gives each secret of a file a variable; the same one has the same. */
function openReferences(): References {
  const variables = new Map<string, string>();
  const taken = new Set<string>();
  const variableFor = (secret: string, usual: string): string => {
    const former = variables.get(secret);
    if (former !== undefined) return former;
    let name = usual;
    for (let count = 2; taken.has(name); count++) name = `${usual}_${count}`;
    taken.add(name);
    variables.set(secret, name);
    return name;
  };
  return {
    refer(value, usual) {
      const reference = referenceIn(value);
      if (reference !== undefined) {
        taken.add(reference.slice("env:".length));
        return { reference, remarks: [] };
      }
      const secret = textIn(value);
      if (secret === undefined) return undefined;
      const name = variableFor(secret, usual);
      const problem = `is a secret in the file, which is not copied: put it into the environment variable ${name}`;
      return { reference: `env:${name}`, remarks: [{ path: [], problem }] };
    },
  };
}
