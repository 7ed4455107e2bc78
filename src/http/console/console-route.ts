import { GatewayError } from "../../engine/errors.ts";
import { type RoutePattern, splitRoute } from "../../operations/define.ts";
import { type HttpResponse, readHeader } from "../message.ts";
import type { Endpoint, RequestContext } from "../response/request-context.ts";
import type { ConsoleFiles } from "./index.ts";

const routes: readonly RoutePattern[] = ["GET /console", "GET /console/", "GET /console/{+path}"];

/** What the console's address depends on. */
interface ConsoleContext {
  readonly console: ConsoleFiles | undefined;
  readonly portalAtRoot: boolean;
}

/** The web console at `/console`, and at `/` for browsers; the code that reads its files is loaded with the first request. */
export function consoleEndpoints({ console: files, portalAtRoot }: ConsoleContext): Endpoint[] {
  if (files === undefined) return [];
  const api = portalAtRoot ? "../" : "../api/";
  const pages = routes.map(splitRoute).map((operation) => ({
    operation,
    answer: async (context: RequestContext) =>
      (await import("./console-files.ts")).showConsole(
        { files, api, path: context.params.path ?? "" },
        context.request,
      ),
  }));
  return [...pages, { operation: splitRoute("GET /"), answer: async (context) => sendToConsole(context) }];
}

/** A browser that opens the gateway's address wants the console; other clients, and paths of somebody else's server, are not moved. */
function sendToConsole({ request }: RequestContext): HttpResponse {
  const { headers, prefix, isShared } = request;
  if (isShared) return { status: 404, headers: {}, body: "", isPassedOn: true };
  if (readHeader(headers, "accept")?.includes("text/html"))
    return { status: 302, headers: { location: `${prefix}/console/` }, body: "" };
  throw new GatewayError("not_found", `There is no ${prefix}/; GET ${prefix}/openapi.json lists what there is.`);
}
