import { type FieldsByName, fieldsOf, type Remark, referenceIn, textIn } from "./remarks.ts";

/** Where a deployment is: the kind of its provider, and the settings that are no key. */
export interface DeployedServer {
  readonly kind: string;
  readonly settings: FieldsByName;
  readonly remarks: readonly Remark[];
  /** Why it cannot be a provider of a file. */
  readonly problem?: { readonly field: string; readonly words: string } | undefined;
}

/** What some kinds cannot be without: LiteLLM's field and ours. */
const needed: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  bedrock: { aws_region_name: "region" },
  vertex: { vertex_project: "project", vertex_location: "location" },
};

/** Reads address, place and headers of a deployment. */
export function readServer(kind: string, parameters: FieldsByName): DeployedServer {
  const remarks: Remark[] = [];
  const settings: Record<string, unknown> = {};
  const baseField = parameters.api_base === undefined ? "base_url" : "api_base";
  const base = readAddress(parameters[baseField]);
  if (base?.problem !== undefined) {
    return { kind, settings, remarks, problem: { field: baseField, words: base.problem } };
  }
  if (base !== undefined) settings.baseUrl = base.address;
  if (kind === "openai" && textIn(parameters.organization) !== undefined)
    settings.organization = referenceIn(parameters.organization) ?? textIn(parameters.organization);
  if (kind === "watsonx" && textIn(parameters.project_id) !== undefined)
    settings.projectId = referenceIn(parameters.project_id) ?? textIn(parameters.project_id);
  for (const [theirs, ours] of Object.entries(needed[kind] ?? {})) {
    const value = referenceIn(parameters[theirs]) ?? textIn(parameters[theirs]);
    if (value === undefined) return { kind, settings, remarks, problem: { field: theirs, words: "is missing" } };
    settings[ours] = value;
  }
  const headers = readHeaders(fieldsOf(parameters.extra_headers), remarks);
  if (Object.keys(headers).length > 0) settings.headers = headers;
  // An address of one's own under the vendor's name is a server of one's own, which speaks its dialect.
  const isOwn =
    kind === "openai" && settings.baseUrl !== undefined && !`${settings.baseUrl}`.includes("api.openai.com");
  return { kind: isOwn ? "own" : kind, settings, remarks };
}

function readAddress(value: unknown): { readonly address?: string; readonly problem?: string } | undefined {
  const reference = referenceIn(value);
  if (reference !== undefined) return { address: reference };
  if (value === undefined || value === null) return undefined;
  const url = URL.parse(textIn(value) ?? "");
  if (url === null || !/^https?:$/.test(url.protocol)) return { problem: "is no http or https address" };
  if (url.username !== "" || url.password !== "" || url.search !== "")
    return { problem: "holds a user or a query, which may be secret" };
  return { address: url.href.replace(/\/$/, "") };
}

/** Headers whose values are references; others may be secrets. */
function readHeaders(headers: FieldsByName, remarks: Remark[]): FieldsByName {
  const safe: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    const reference = referenceIn(value);
    if (reference === undefined)
      remarks.push({
        path: ["extra_headers", name],
        problem: "may hold a secret: add it under `headers` of the provider",
      });
    else safe[name] = reference;
  }
  return safe;
}
