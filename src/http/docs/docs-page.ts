import { readFile } from "node:fs/promises";
import { GatewayError } from "../../engine/errors.ts";
import type { HttpResponse } from "../message.ts";

/** The folder of the viewer's files: in the built package, or in `node_modules` next to the sources. */
const folders = [
  new URL("./viewer/", import.meta.url),
  new URL("../../../node_modules/swagger-ui-dist/", import.meta.url),
];

const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>tollgate: the API</title>
<link rel="stylesheet" href="docs/swagger-ui.css">
</head>
<body>
<div id="viewer"></div>
<script src="docs/swagger-ui-bundle.js"></script>
<script src="docs/start.js"></script>
</body>
</html>
`;

/** Without `validatorUrl: null` the viewer would show a badge of another host. */
const start = `SwaggerUIBundle({
  url: "openapi.json",
  dom_id: "#viewer",
  deepLinking: true,
  docExpansion: "none",
  filter: true,
  validatorUrl: null,
});
`;

/** The page loads from its own origin only. Swagger UI sets styles on elements. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

const [html, script, style] = ["text/html; charset=utf-8", "text/javascript; charset=utf-8", "text/css; charset=utf-8"];

/** The page at `/docs`, and what it loads by the paths below it. */
export function showDocsPage(path: string): HttpResponse | Promise<HttpResponse> {
  if (path.endsWith("/start.js")) return send(script, start);
  if (path.endsWith(".js")) return sendFile(script, "swagger-ui-bundle.js");
  return path.endsWith(".css") ? sendFile(style, "swagger-ui.css") : send(html, page);
}

function send(type: string, body: string): HttpResponse {
  const headers = { "content-type": type, "content-security-policy": policy, "x-content-type-options": "nosniff" };
  return { status: 200, headers, body };
}

const read = new Map<string, string>();

async function sendFile(type: string, name: string): Promise<HttpResponse> {
  const text = read.get(name) ?? (await readViewer(name));
  read.set(name, text);
  const response = send(type, text);
  response.headers["cache-control"] = "public, max-age=86400";
  return response;
}

async function readViewer(name: string): Promise<string> {
  for (const folder of folders) {
    const text = await readFile(new URL(name, folder), "utf8").catch(() => undefined);
    if (text !== undefined) return text;
  }
  throw new GatewayError(
    "not_found",
    `The viewer's ${name} is not installed here; \`/openapi.json\` holds the document.`,
  );
}
