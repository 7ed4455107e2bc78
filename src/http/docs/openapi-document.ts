import { inference, inferenceSchemas } from "../../operations/inference.ts";
import { describeOperations, type OpenApiDocument } from "../../operations/openapi.ts";
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

function describe({ portal, service }: DocumentVariant): OpenApiDocument {
  return describeOperations({
    title: portal ? "Inference Gateway and Portal API" : "Inference Gateway API",
    version: "1.0.0",
    table: { ...inference, ...dialectRows, ...portal?.table, ...(portal && sessionTable) },
    schemas: { ...inferenceSchemas, ...dialectSchemas, ...portal?.schemas, ...(portal && sessionSchemas) },
    service: schemesIn(service),
  });
}
