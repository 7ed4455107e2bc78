import type { Table } from "../operations/define.ts";
import type { Endpoint } from "./endpoint.ts";
import { anthropic } from "./families/anthropic/family.ts";
import { cohere } from "./families/cohere/family.ts";
import { genai } from "./families/genai/family.ts";
import { mcp } from "./families/mcp/family.ts";
import { openai } from "./families/openai/family.ts";
import { responses } from "./families/responses/family.ts";
import type { Family, Refuse } from "./families/shared/family.ts";
import type { Source } from "./source.ts";

/** The vendors' interfaces that the engine is reachable through, so that their own SDKs talk to any provider. */
const families: readonly Family[] = [openai, responses, anthropic, genai, cohere, mcp];

/** The rows of all families. */
export const familyRows: Table = Object.assign({}, ...families.map(({ rows }) => rows));

/** The schemas that these refer to, by name. */
export const familySchemas: Readonly<Record<string, unknown>> = Object.assign(
  {},
  ...families.map(({ schemas }) => schemas),
);

/** How the rows of the families are answered over HTTP. */
export function familyEndpoints(source: Source): Endpoint[] {
  return families.flatMap(({ rows, answers }) =>
    Object.entries(rows).flatMap(([name, operation]) => {
      const answer = answers[name];
      return answer === undefined ? [] : [{ operation, answer: (exchange) => answer(exchange, source) }];
    }),
  );
}

/** How an error is told to whoever asked for this path; `undefined` where no family has a way of its own. */
export function refusalAt(path: string): Refuse | undefined {
  return families.find(({ prefix, refuse }) => refuse !== undefined && path.startsWith(prefix))?.refuse;
}
