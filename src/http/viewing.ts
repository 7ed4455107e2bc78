import { op } from "../operations/define.ts";
import type { Endpoint } from "./endpoint.ts";

const paths = [
  ["/docs", "Show this API to people"],
  ["/docs/start.js", "Start the viewer"],
  ["/docs/swagger-ui-bundle.js", "The viewer"],
  ["/docs/swagger-ui.css", "The viewer's style"],
] as const;

/** The OpenAPI document for people, at `/docs`; loaded when somebody looks. The viewer's own files are no part of the document. */
export function viewerEndpoints(): Endpoint[] {
  return paths.map(([path, summary]) => ({
    operation: op(`GET ${path}`, "open", summary),
    answer: async () => (await import("./viewer.ts")).showViewer(path),
  }));
}
