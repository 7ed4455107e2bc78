import { describeOperations, type OpenApiDocument } from "../../operations/document/openapi.ts";
import { inference, inferenceSchemas } from "../../operations/inference.ts";
import { sessionSchemas, sessionTable } from "../../operations/portal/sessions.ts";
import type { HttpContext } from "../context.ts";
import { dialectRows } from "../dialects/rows.ts";
import { dialectSchemas } from "../dialects/schemas.ts";
import { schemesIn } from "../service-auth.ts";

/** What documents differ by. */
type DocumentVariant = Pick<HttpContext, "portal" | "service">;

/** Documents that were made, by what is particular to them. */
const created = new WeakMap<object, OpenApiDocument>();
const noPortal = {};

/**
 * The document of everything that is served: the inference API and, where there is one, the portal, with the service credential that
 * is asked for under `/api`. Made once.
 */
export function describeApi(context: DocumentVariant): OpenApiDocument {
  const { portal, service } = context;
  const key = portal ? (service ?? portal) : noPortal;
  const document = created.get(key) ?? describe(context);
  created.set(key, document);
  return document;
}

/** Where a document's operations are served. */
interface ServedAt extends Pick<HttpContext, "portalAtRoot"> {
  /** The path that everything is mounted under; empty for the root. */
  readonly prefix: string;
}

/** The document with its servers: everything at the mount, the portal's operations under its `/api` too, or there alone. */
export function withServers(document: OpenApiDocument, { prefix, portalAtRoot }: ServedAt) {
  const root = { url: prefix || "/" };
  const api = { url: `${prefix}/api`, description: "The portal, behind the service credential where there is one" };
  const servers = portalAtRoot ? [root, api] : [api];
  const paths = Object.entries(document.paths).map(([path, item]) => {
    const isPortal = Object.values(item).some(
      (row) => typeof row === "object" && row !== null && "x-permission" in row,
    );
    return [path, isPortal ? { ...item, servers } : item];
  });
  return { ...document, servers: [root], paths: Object.fromEntries(paths) };
}

function describe({ portal, service }: DocumentVariant): OpenApiDocument {
  return describeOperations({
    title: portal ? "Inference Gateway and Portal API" : "Inference Gateway API",
    version: "1.0.0",
    table: { ...inference, ...dialectRows, ...portal?.table, ...(portal && sessionTable) },
    schemas: { ...inferenceSchemas, ...dialectSchemas, ...portal?.schemas, ...(portal && sessionSchemas) },
    service: schemesIn(service),
  });
}
