import { placeOf } from "../operations/define.ts";
import type { Endpoint } from "./endpoint.ts";
import { anthropic } from "./families/anthropic/family.ts";
import { cohere } from "./families/cohere/family.ts";
import { genai } from "./families/genai/family.ts";
import { mcp } from "./families/mcp/family.ts";
import { openai } from "./families/openai/family.ts";
import { responses } from "./families/responses/family.ts";
import type { Family, Refuse } from "./families/shared/family.ts";
import type { Answer, Source } from "./source.ts";

/** The vendors' interfaces that the engine is reachable through, so that their own SDKs talk to any provider. */
const families: readonly Family[] = [openai, responses, anthropic, genai, cohere, mcp];

/** How the operations of the families are answered over HTTP. */
export function familyEndpoints(source: Source): Endpoint[] {
  return families.flatMap((family) => endpointsOf(family, source));
}

/** A family is loaded with its first request: most programs serve the clients of one or two vendors, or none. */
function endpointsOf({ routes, load }: Family, source: Source): Endpoint[] {
  let loaded: Readonly<Record<string, Answer>> | undefined;
  return Object.entries(routes).map(([name, route]) => ({
    operation: placeOf(route),
    async answer(exchange) {
      loaded ??= (await load()).answers;
      return await (loaded[name] as Answer)(exchange, source); // there is one for each route: the compiler sees to it
    },
  }));
}

/** How an error is told to whoever asked for this path; `undefined` where no family has a way of its own. */
export function refusalAt(path: string): Refuse | undefined {
  return families.find(({ prefix, refuse }) => refuse !== undefined && path.startsWith(prefix))?.refuse;
}
