import { expect, it } from "vitest";
import { toolsToWire } from "../../../../../../adapters/shared/openai-compatible/request/to-wire.ts";
import type { Tool } from "../../../../../../src/engine/api/tools.ts";
import { frozen } from "../../../../../../src/testing/conformance/provider/play.ts";
import { plain } from "../../../../support/shared/openai/setup.ts";

const to = { provider: "acme", dialect: plain, warn: () => {} };
const tool = (parameters?: object) =>
  ({ type: "function", function: { name: "f", ...(parameters === undefined ? {} : { parameters }) } }) as Tool;

it.each([
  [{ type: "object" }, { type: "object", properties: {} }],
  [{}, { type: "object", properties: {} }],
  [
    { type: "object", description: "none", additionalProperties: false },
    { type: "object", description: "none", additionalProperties: false, properties: {} },
  ],
])("a schema of an object without properties gets an empty list of them: %j", (parameters, sent) => {
  const given = frozen([tool(parameters), tool({ type: "object", properties: { a: {} } })]);
  expect(toolsToWire(given, to)).toEqual([tool(sent), given[1]]);
});

it("other tools are passed on as they are", () => {
  const given = [tool(), tool({ type: "object", properties: {} }), { type: "custom", custom: {} } as Tool];
  expect(toolsToWire(given, to)).toBe(given);
});
