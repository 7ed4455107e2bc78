import { placeOf, type Route } from "../operations/define.ts";
import type { Endpoint } from "./endpoint.ts";

const routes: readonly Route[] = [
  "GET /docs",
  "GET /docs/start.js",
  "GET /docs/swagger-ui-bundle.js",
  "GET /docs/swagger-ui.css",
];

/** The OpenAPI document for people, at `/docs`; loaded when somebody looks. The viewer's own files are no part of the document. */
export function viewerEndpoints(): Endpoint[] {
  return routes.map(placeOf).map((operation) => ({
    operation,
    answer: async () => (await import("./viewer.ts")).showViewer(operation.path),
  }));
}
