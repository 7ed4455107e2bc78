// The page of all operations, made from the tables that router, document and clients read.

import { z } from "zod";
import { dialectRows } from "../src/http/dialects/rows.ts";
import type { Operation, OperationAccess } from "../src/operations/define.ts";
import { inference } from "../src/operations/inference.ts";
import { sessions } from "../src/operations/portal/sessions.ts";
import { areas } from "../src/operations/portal/table.ts";

/** `docs/operations.md` as it should be. */
export function describeAllOperations(): string {
  const portal = Object.entries(areas).map(([area, rows]) => `### ${area}\n\n${writeTable(rows, describePermission)}`);
  return `# Operations

Every operation of both HTTP APIs. \`GET /openapi.json\` describes them with all their fields; \`/docs\` shows that to people.
Fields with \`*\` are required; a \`{+name}\` of a path may hold slashes; operations marked with † are ours, beyond the specification.

## Inference

What the headers of these say is in [routing.md](routing.md), what the vendors' own paths are for in [dialects.md](dialects.md).

${writeTable({ ...inference, ...dialectRows }, describeAccess)}

## Portal

At \`/\` and under \`/api\`. Each call needs an access token in \`auth-token\` that carries the permission, and \`region\`. In this process, \`portal.as(caller).<area>.<name>(input)\` does
the same. The fields of GET and DELETE may stand in the query or in the body.

${portal.join("\n\n")}

### sessions

The cookie of a session stands in for \`auth-token\` in every operation above. [Sessions](decisions/0052-sessions.md) says under which conditions.

${writeTable(sessions, describeAccess)}

This page is made by \`node scripts/docs.ts\` from \`src/operations\`.
`;
}

type Rows = Readonly<Record<string, Operation>>;

function writeTable(rows: Rows, who: (access: OperationAccess) => string): string {
  const lines = Object.entries(rows).map(([name, row]) => {
    const mark = row.isExtension ? " †" : "";
    return `| \`${name}\` | \`${row.method} ${row.path}\` | ${who(row.access)} | ${row.summary}${mark} | ${listFields(row)} |`;
  });
  return ["| Name | Operation | Who | What it does | Fields |", "|---|---|---|---|---|", ...lines].join("\n");
}

function describeAccess(access: OperationAccess): string {
  return access === "open" ? "anybody" : access === "virtual_key" ? "a virtual key" : describePermission(access);
}

function describePermission(access: OperationAccess): string {
  return `\`${access}\``;
}

function listFields({ input }: Operation): string {
  const forms = input instanceof z.ZodUnion ? input.options : [input];
  return forms.map(listShape).join("; or ");
}

function listShape(form: unknown): string {
  const shape: Readonly<Record<string, z.ZodType>> = form instanceof z.ZodObject ? form.shape : {};
  return Object.entries(shape)
    .map(([name, schema]) => `\`${name}\`${schema.safeParse(undefined).success ? "" : "*"}`)
    .join(", ");
}
