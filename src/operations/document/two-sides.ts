import type { z } from "zod";
import { type JsonSchema, referredBy, type SchemaComponents, writeSchemas } from "./json-schema.ts";

const root = "#/components/schemas/";

/** The schemas of a document: what callers send and what is answered, in one list of components. */
export interface TwoSides {
  readonly components: Readonly<Record<string, JsonSchema>>;
  /** The schema of something that a caller sends. */
  request(schema: z.ZodType): JsonSchema;
  /** The schema of something that is answered. */
  answer(schema: z.ZodType): JsonSchema;
}

interface UsedSchemas {
  readonly requests: readonly z.ZodType[];
  readonly answers: readonly z.ZodType[];
}

/**
 * Writes the schemas of both sides. A component that is not the same on both, since a field with a default may be left out of a request and is
 * always answered, is there twice: `Name` as it is answered and `NameInput` as it is sent.
 */
export function writeBothSides(named: Readonly<Record<string, unknown>>, used: UsedSchemas): TwoSides {
  const requests = writeSchemas(named, used.requests, "input");
  const answers = writeSchemas(named, used.answers, "output");
  const sent = referredBy(used.requests.map(requests.read), requests.components);
  const answered = referredBy(used.answers.map(answers.read), answers.components);
  const apart = differing(sent, answered);
  const rename = (value: unknown): unknown => renameRefs(value, apart);
  const renamed = Object.entries(sent).map(([name, schema]) => [
    apart.has(name) ? `${name}Input` : name,
    rename(schema) as JsonSchema,
  ]);
  return {
    components: { ...Object.fromEntries(renamed), ...answered },
    request: (schema) => rename(requests.read(schema)) as JsonSchema,
    answer: (schema) => answers.read(schema),
  };
}

type SideComponents = SchemaComponents["components"];

/** The names of the components that both sides have in different forms, themselves or through what they refer to. */
function differing(sent: SideComponents, answered: SideComponents): ReadonlySet<string> {
  const shared = Object.keys(sent).filter((name) => name in answered);
  const apart = new Set(shared.filter((name) => JSON.stringify(sent[name]) !== JSON.stringify(answered[name])));
  const changed = new Set(apart);
  for (const name of shared) {
    const reached = Object.keys(referredBy(sent[name], sent));
    if (reached.some((other) => changed.has(other))) apart.add(name);
  }
  return apart;
}

function renameRefs(value: unknown, apart: ReadonlySet<string>): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((part) => renameRefs(part, apart));
  const entries = Object.entries(value).map(([field, part]) => {
    const name = field === "$ref" && typeof part === "string" ? part.slice(root.length) : "";
    return [field, apart.has(name) ? `${root}${name}Input` : renameRefs(part, apart)];
  });
  return Object.fromEntries(entries);
}
