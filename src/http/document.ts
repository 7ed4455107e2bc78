import { inference, inferenceSchemas } from "../operations/inference.ts";
import { describeOperations, type OpenApiDocument } from "../operations/openapi.ts";
import { familyRows } from "./family-rows.ts";
import { familySchemas } from "./family-schemas.ts";
import { schemesIn } from "./management.ts";
import type { Source } from "./source.ts";

/** What documents differ by. */
type Described = Pick<Source, "portal" | "service">;

/** Documents that were made, by what is particular to them. */
const made = new WeakMap<object, OpenApiDocument>();
const noPortal = {};

/**
 * The document of everything that is served: the inference API and, where there is one, the portal, with the service credential that
 * is asked for under `/api`. Made once.
 */
export function describeApi(source: Described): OpenApiDocument {
  const { portal, service } = source;
  const key = portal ? (service ?? portal) : noPortal;
  const document = made.get(key) ?? describe(source);
  made.set(key, document);
  return document;
}

function describe({ portal, service }: Described): OpenApiDocument {
  return describeOperations({
    title: portal ? "Inference Gateway and Portal API" : "Inference Gateway API",
    version: "1.0.0",
    table: { ...inference, ...familyRows, ...portal?.table },
    schemas: { ...inferenceSchemas, ...familySchemas, ...portal?.schemas },
    service: schemesIn(service),
  });
}
