import type { Operation } from "../../../operations/define.ts";
import type { Family } from "../shared/family.ts";
import { refuse } from "./errors.ts";
import { rows } from "./rows.ts";

/** The same under the vendor's stable version, which its newest clients ask for. */
const stable = Object.fromEntries(Object.entries(rows).map(([name, row]) => [`${name}_v1`, atVersion1(row)]));

function atVersion1(row: Operation): Operation {
  return { ...row, path: row.path.replace("/v1beta/", "/v1/") };
}

/** Google's Gemini API, in both of its versions. */
export const genai: Family = {
  prefix: "/genai/",
  rows: { ...rows, ...stable },
  load: () => import("./answers.ts"),
  refuse,
};
