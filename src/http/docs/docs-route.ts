import { type RoutePattern, splitRoute } from "../../operations/define.ts";
import type { Endpoint } from "../response/request-context.ts";

const routes: readonly RoutePattern[] = [
  "GET /docs",
  "GET /docs/start.js",
  "GET /docs/swagger-ui-bundle.js",
  "GET /docs/swagger-ui.css",
];

/** The OpenAPI document for people, at `/docs`; loaded when somebody looks. The viewer's own files are no part of the document. */
export function docsEndpoints(): Endpoint[] {
  return routes.map(splitRoute).map((operation) => ({
    operation,
    answer: async () => (await import("./docs-page.ts")).showDocsPage(operation.path),
  }));
}
