import { splitRoute } from "../../operations/define.ts";
import type { HttpContext, RequestHandler } from "../context.ts";
import type { Endpoint } from "../response/request-context.ts";
import { anthropic } from "./anthropic/routes.ts";
import { cohere } from "./cohere/routes.ts";
import { genai } from "./genai/routes.ts";
import { mcp } from "./mcp/routes.ts";
import { openai } from "./openai/routes.ts";
import { responses } from "./responses/routes.ts";
import type { Refuse, VendorDialect } from "./shared/dialect.ts";
import { systemone } from "./systemone/routes.ts";

/** The vendors' interfaces to the engine, through which their own SDKs reach any provider. */
const dialects: readonly VendorDialect[] = [openai, responses, anthropic, genai, cohere, systemone, mcp];

/** The endpoints of every vendor's interface. */
export function dialectEndpoints(context: HttpContext): Endpoint[] {
  return dialects.flatMap((dialect) => endpointsOf(dialect, context));
}

/** Handlers are loaded with the first request: most programs serve the clients of one or two vendors, or none. */
function endpointsOf({ routes, vendor, load }: VendorDialect, context: HttpContext): Endpoint[] {
  let loaded: Readonly<Record<string, RequestHandler>> | undefined;
  return Object.entries(routes).map(([name, route]) => ({
    operation: splitRoute(route),
    async answer(request) {
      request.vendor = vendor;
      loaded ??= (await load()).handlers;
      return await (loaded[name] as RequestHandler)(request, context); // every route has a handler: the dialect's type requires it
    },
  }));
}

/** Writes the errors of a request for `path`; `undefined` where they have our own shape. */
export function refusalAt(path: string): Refuse | undefined {
  return dialects.find(({ prefix, refuse }) => refuse !== undefined && path.startsWith(prefix))?.refuse;
}
