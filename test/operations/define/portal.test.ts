import { expect, test } from "vitest";
import { z } from "zod";
import type { Operation } from "../../../src/operations/define.ts";
import { portalRows, portalSchemas } from "../../../src/operations/portal/table.ts";
import { createRouter } from "../../../src/operations/router.ts";
import specification from "../../fixtures/portal/operations.json" with { type: "json" };

interface Field {
  readonly name: string;
  readonly required: boolean;
}

const byPermission = new Map(portalRows.map(({ operation }) => [operation.access, operation]));

/** The fields of a row's input. */
function fieldsOf({ input }: Operation): Field[] {
  if (!(input instanceof z.ZodObject)) return [];
  const fields = Object.entries(input.shape).map(([name, schema]) => ({
    name,
    required: !(schema as z.ZodType).safeParse(undefined).success,
  }));
  return fields.sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** Names that the specification gives to resources, and ours for them. */
const ourNames: Readonly<Record<string, string>> = {
  "AiKey (list)": "AiKey",
  "AiCost (key)": "AiKeyCost",
  "AiCost (project)": "AiProjectCost",
  "Backup (single)": "Backup",
  "Backup (list)": "BackupEntry",
  "BackupProject (detail)": "BackupProjectDetail",
  "BackupProject (list)": "BackupProjectEntry",
  "BackupVm (detail)": "BackupVmDetail",
  "BackupVm (list)": "BackupVmEntry",
  "BackupVolume (detail)": "BackupVolumeDetail",
  "BackupVolume (list)": "BackupVolumeEntry",
  "ProfileEntry (permissions and profiles of a profile)": "ProfileEntry",
};

/** What portal-resolved.md adds to the specification's table, and our own fields. */
const resolved: Readonly<Record<string, { readonly fields?: readonly Field[]; readonly output?: string }>> = {
  "ai-post": {
    output: "AiKeyCreated",
    fields: [
      ...["budgets", "description", "expires_at", "llms", "mcp_configs", "metadata", "name", "project_id"],
      ...["provider_configs", "rate_limits", "starts_at", "tier", "timeouts", "user", "user_bound"],
    ].map((name) => ({ name, required: ["description", "name", "tier", "user_bound"].includes(name) })),
  },
  "ai_key-patch": {
    fields: [
      ...["active", "budgets", "description", "expires_at", "llms", "mcp_configs", "metadata", "name"],
      ...["provider_configs", "rate_limits", "starts_at", "timeouts"],
    ].map((name) => ({ name, required: false })),
  },
  "ai_teams_management-post": {
    fields: ["apply_keys", "description", "mcp_configs", "name", "tier"].map((name) => ({
      name,
      required: ["description", "name", "tier"].includes(name),
    })),
  },
  "ai_team_management-patch": {
    fields: ["apply_keys", "budgets", "description", "llms", "mcp_configs", "name", "rate_limits", "remove"].map(
      (name) => ({ name, required: false }),
    ),
  },
  "ai_all_costs-get": { fields: [{ name: "model", required: false }], output: "AiCostRates by model, or AiCostRates" },
  "iaas_project-delete": { fields: [{ name: "purge", required: false }] }, // decision 0148
  "notification-get": {
    fields: ["read", "severity", "subject", "type", "unread"].map((name) => ({ name, required: false })),
  },
  "theme-get": { output: "Theme" },
  "cluster_all_shoots-get": { output: "array of ProjectShoot" },
};

function nameOf(schema: z.ZodType): string | undefined {
  return Object.entries(portalSchemas).find(([, named]) => named === schema)?.[0];
}

/** The output in the specification's words. */
function describeOutput({ output }: Operation): string {
  if (!output) return "none";
  const name = nameOf(output);
  if (name !== undefined) return name;
  if (output instanceof z.ZodArray) return `array of ${nameOf(output.element as z.ZodType) ?? "?"}`;
  if (output instanceof z.ZodUnion) return "AiCostRates by model, or AiCostRates";
  if (output instanceof z.ZodRecord) return describeRecord(output);
  if (!(output instanceof z.ZodObject)) return "?";
  const kinds = Object.entries(output.shape).map(([field, schema]) => [field, kindOf(schema as z.ZodType)] as const);
  const all = (kind: string) => kinds.length > 1 && kinds.every(([, own]) => own === kind);
  const names = kinds.map(([field]) => field).join(", ");
  if (all("obj") && names !== "metadata, provider, secretRef") return `object of objects: ${names}`;
  if (all("arr")) return `object of arrays: ${names}`;
  return `object: ${kinds.map(([field, kind]) => (kind === "str" ? field : `${field} ${kind}`)).join(", ")}`;
}

function describeRecord({ valueType }: z.ZodRecord): string {
  const kind = kindOf(valueType as z.ZodType);
  return { arr: "object mapping to array", str: "object mapping to string" }[kind] ?? "object";
}

function kindOf(schema: z.ZodType): string {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) return kindOf(schema.unwrap() as z.ZodType);
  if (schema instanceof z.ZodBoolean) return "bool";
  if (schema instanceof z.ZodArray) return "arr";
  if (schema instanceof z.ZodNumber) return schema.isInt ? "int" : "num";
  if (schema instanceof z.ZodRecord || schema instanceof z.ZodObject) return "obj";
  return schema instanceof z.ZodUnknown ? "any" : "str";
}

function wantedOutput(output: string): string {
  const [text = ""] = output.split(/(?<=none) \(/);
  const item = text.replace(/^array of /, "");
  const name = ourNames[item];
  if (name !== undefined) return text.replace(item, name);
  if (/^object mapping .* to an array$|^object mapping a quota name/.test(text)) return "object mapping to array";
  if (/^object mapping .* to string$/.test(text)) return "object mapping to string";
  return /^object mapping|^free-form/.test(text) ? "object" : text;
}

test("there are 132 operations and ours beside them, marked as such", () => {
  expect(portalRows.filter(({ operation }) => !operation.isExtension)).toHaveLength(132);
  const extensions = portalRows.filter(({ operation }) => operation.isExtension);
  expect(
    extensions.every(({ area }) =>
      [
        "alerts",
        "users",
        "quotas",
        "profiles",
        "ai",
        "context",
        "notifications",
        "tasks",
        "tenants",
        "me",
        "properties",
        "themes",
        "iaas",
        "backups",
        "clusters",
        "objectstore",
      ].includes(area),
    ),
  ).toBe(true);
  expect(specification.operations).toHaveLength(132);
});

test.each(specification.operations.map((wanted) => [wanted.permission, wanted] as const))(
  "%s",
  (permission, wanted) => {
    const row = byPermission.get(permission as Operation["access"]);
    if (!row) throw new Error("there is no such row");
    const { fields, output } = resolved[permission] ?? {};
    expect(`${row.method} ${row.path}`).toBe(`${wanted.method} ${wanted.path}`);
    expect(row.params.toSorted()).toEqual(wanted.path_params.toSorted());
    expect(fieldsOf(row)).toEqual(fields ?? wanted.body.toSorted((a, b) => (a.name < b.name ? -1 : 1)));
    expect(describeOutput(row)).toBe(output ?? wantedOutput(wanted.output));
  },
);

test("every permission is asked for by one operation, and every operation is found by its own path", () => {
  expect(byPermission.size).toBe(portalRows.length);
  const find = createRouter(portalRows.map(({ operation }) => operation));
  for (const { operation } of portalRows) {
    const found = find(operation.method, operation.path.replaceAll(/\{(\w+)\}/g, "some-$1"));
    expect(found.kind === "found" && found.row).toBe(operation);
  }
});

/** The fields of a resource in the specification's words: `size num`, `qos_specs_id (nullable)`. */
function listFields(words: string): Map<string, string> {
  const parts = words
    .replace(/^numbers:/, "")
    .replace(/llms obj .*? or llm arr \(list\)/, "llms obj, llm arr")
    .split(/, ?/);
  const isNumbers = words.startsWith("numbers:");
  return new Map(
    parts.map((part) => {
      const [name = "", ...kind] = part.trim().replace(/[()]/g, "").split(" ");
      const plain = kind.filter((word) => word !== "nullable").join(" ");
      return [name, isNumbers ? "num" : plain || "str"] as const;
    }),
  );
}

/** Each of our resources and the fields it must have. */
function listResources(): (readonly [string, Map<string, string>])[] {
  const resources = specification.resources as Readonly<Record<string, string>>;
  const single = listFields(resources["Backup (single)"] ?? "");
  return Object.entries(resources).flatMap(([name, words]) => {
    const own = (ourNames[name] ?? name).replace(/ .*/, "");
    if (name === "Backup (list)") {
      const more = listFields(words.replace(/^.*?plus /, ""));
      return [[own, new Map([...single, ...more])] as const];
    }
    const [base = "", ...adding] = words.split(/; (?=detail adds|list adds)/);
    if (adding.length === 0) return [[own, listFields(base)] as const];
    return adding.map((part) => {
      const suffix = part.startsWith("detail") ? "Detail" : "Entry";
      const more = listFields(part.replace(/^(?:detail|list) adds /, ""));
      return [own + suffix, new Map([...listFields(base), ...more])] as const;
    });
  });
}

/** Fields that are ours next to the specification's, by resource. */
const keySettings = ["starts_at", "expires_at", "timeouts", "metadata", "mcp_configs"];
const keyFacts = [...keySettings, "last4", "created_at", "last_used_at"];
const ourFields: Readonly<Record<string, readonly string[]>> = {
  DashboardDefinition: ["title_key", "version"],
  Backup: ["restore"],
  BackupEntry: ["restore"],
  BackupVolumeDetail: ["state"],
  BackupVolumeEntry: ["state"],
  BackupPolicy: ["is_configured", "timezone"],
  Project: ["domain_enabled", "state"],
  Server: ["fault"],
  SharedBucket: ["project_id"],
  Task: ["next_run_at", "steps_done", "steps_total"],
  AiKey: keyFacts,
  AiKeyDetail: keyFacts,
  AiKeyBrief: keySettings,
  AiCustomer: ["mcp_configs"],
  AiProject: ["mcp_configs"],
  Notification: ["severity", "subject", "key", "params", "link"],
};

test.each(listResources())("the resource %s has the specification's fields", (name, fields) => {
  const schema = portalSchemas[name];
  if (!(schema instanceof z.ZodObject)) throw new Error("there is no such resource");
  const extra = ourFields[name] ?? [];
  expect(Object.keys(schema.shape)).toEqual(expect.arrayContaining([...extra]));
  const specified = Object.entries(schema.shape).filter(([field]) => !extra.includes(field));
  const kinds = specified.map(([field, own]) => [field, kindOf(own as z.ZodType)] as const);
  expect(new Map(kinds)).toEqual(fields);
});
