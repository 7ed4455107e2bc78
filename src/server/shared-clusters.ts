import type { IncomingMessage, RequestListener } from "node:http";
import type { SharedClouds } from "./shared-objects.ts";

const root = "/kube/";
/** What stands behind the root: a region's code and an address of a cluster there. */
const clusterPath = /^([^/?]+)(\/.*)$/;
/** Objects of a cluster are no longer than Kubernetes' own. */
const longest = 1_048_576;

/** Serves `/kube/<region>/<namespace>/<cluster>/…`, the APIs of clusters, from the embedded clouds; everything else is the listener's. */
export function serveClusters(listener: RequestListener, shared: SharedClouds): RequestListener {
  if (shared.size === 0) return listener;
  return (request, response) => {
    const { method = "", url = "", headers } = request;
    const [, code = "", address = ""] = url.startsWith(root) ? (clusterPath.exec(url.slice(root.length)) ?? []) : [];
    const cloud = shared.get(code);
    if (cloud === undefined) {
      listener(request, response);
      return;
    }
    const body = () => readBody(request);
    cloud.serveCluster({ method, address, authorization: headers.authorization, body }).then(
      (answer) => {
        request.resume(); // a body that was not asked for is not read into memory
        const type = answer.body.startsWith("{") ? "application/json" : "text/plain";
        const own = { "content-type": type, "x-content-type-options": "nosniff", "cache-control": "no-store" };
        response.writeHead(answer.status, own).end(method === "HEAD" ? undefined : answer.body);
      },
      () => response.writeHead(502, { "content-type": "text/plain" }).end("The cluster cannot be reached.\n"),
    );
  };
}

async function readBody(request: IncomingMessage): Promise<string | undefined> {
  const parts: Buffer[] = [];
  let length = 0;
  for await (const part of request) {
    length += (part as Buffer).length;
    if (length > longest) return undefined;
    parts.push(part as Buffer);
  }
  return Buffer.concat(parts).toString("utf8");
}
