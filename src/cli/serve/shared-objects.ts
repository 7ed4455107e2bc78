import type { RequestListener } from "node:http";
import type { ServeObject } from "../portal/backends/kinds.ts";

/** Shared objects of regions, by the region's code. */
export type SharedObjects = ReadonlyMap<string, ServeObject>;

const root = "/objects/";
/** Tenants choose the types of their objects; a browser must not see another one in them. */
const noGuess = { "x-content-type-options": "nosniff" } as const;
/** What stands behind the root: a region's code and the address of an object there. */
const objectPath = /^([^/?]+)(\/.*)$/;

/** Serves `/objects/<region>/…` from the embedded clouds; everything else is the listener's. */
export function serveObjects(listener: RequestListener, shared: SharedObjects): RequestListener {
  if (shared.size === 0) return listener;
  return (request, response) => {
    const { method = "", url = "" } = request;
    const [, code = "", address = ""] = url.startsWith(root) ? (objectPath.exec(url.slice(root.length)) ?? []) : [];
    const serve = shared.get(code);
    if (serve === undefined) {
      listener(request, response);
      return;
    }
    request.resume();
    serve(method, address).then(
      ({ status, headers, body }) => response.writeHead(status, { ...headers, ...noGuess }).end(body),
      () => response.writeHead(502, { "content-type": "text/plain", ...noGuess }).end("The object cannot be read.\n"),
    );
  };
}
