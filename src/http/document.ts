import { inference, inferenceSchemas } from "../operations/inference.ts";
import { describeOperations, type OpenApiDocument } from "../operations/openapi.ts";
import type { Portal } from "../portal/portal.ts";
import { familyRows, familySchemas } from "./families.ts";

let alone: OpenApiDocument | undefined;
const beside = new WeakMap<Portal, OpenApiDocument>();

/** The document of everything that is served: the inference API and, where there is one, the portal. Made once. */
export function describeApi(portal: Portal | undefined): OpenApiDocument {
  if (!portal) {
    alone ??= describe(undefined);
    return alone;
  }
  const document = beside.get(portal) ?? describe(portal);
  beside.set(portal, document);
  return document;
}

function describe(portal: Portal | undefined): OpenApiDocument {
  return describeOperations({
    title: portal ? "Inference Gateway and Portal API" : "Inference Gateway API",
    version: "1.0.0",
    table: { ...inference, ...familyRows, ...portal?.table },
    schemas: { ...inferenceSchemas, ...familySchemas, ...portal?.schemas },
  });
}
