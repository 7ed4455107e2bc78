import type { RequestListener } from "node:http";
import type { SharedCloud } from "./portal/backends/kinds.ts";

/** The embedded clouds of regions, by the region's code. */
export type SharedClouds = ReadonlyMap<string, SharedCloud>;

const root = "/objects/";
/** Tenants choose the types of their objects; a browser must not see another one in them. */
const noGuess = { "x-content-type-options": "nosniff" } as const;
/** What stands behind the root: a region's code and the address of an object there. */
const objectPath = /^([^/?]+)(\/.*)$/;

/** Serves `/objects/<region>/…` from the embedded clouds; everything else is the listener's. */
export function serveObjects(listener: RequestListener, shared: SharedClouds): RequestListener {
  if (shared.size === 0) return listener;
  return (request, response) => {
    const { method = "", url = "" } = request;
    const [, code = "", address = ""] = url.startsWith(root) ? (objectPath.exec(url.slice(root.length)) ?? []) : [];
    const cloud = shared.get(code);
    if (cloud === undefined) {
      listener(request, response);
      return;
    }
    request.resume();
    cloud.serve(method, address).then(
      ({ status, headers, body }) => response.writeHead(status, { ...headers, ...noGuess }).end(body),
      () => response.writeHead(502, { "content-type": "text/plain", ...noGuess }).end("The object cannot be read.\n"),
    );
  };
}
