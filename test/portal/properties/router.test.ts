import fc from "fast-check";
import { expect, test } from "vitest";
import { createRouter } from "../../../src/operations/router.ts";

interface Row {
  readonly method: string;
  readonly path: string;
}

const word = fc.constantFrom("a", "b", "c");
const segment = fc.oneof(word, fc.constantFrom("{x}", "{y}"));
const shape = ({ method, path }: Row) => `${method} ${path.replaceAll(/\{\w+\}/g, "{}")}`;
const method = fc.constantFrom("GET", "POST");
const table = fc.uniqueArray(
  fc.record({ method, path: fc.array(segment, { minLength: 1, maxLength: 4 }).map((parts) => `/${parts.join("/")}`) }),
  { selector: shape, maxLength: 12 },
);
const asked = fc.array(fc.oneof(word, fc.constantFrom("d", "")), { minLength: 1, maxLength: 5 });
const path = asked.map((parts) => `/${parts.join("/")}`);

const isParameter = (part: string | undefined) => part?.startsWith("{") === true;

function fits(row: Row, target: string): boolean {
  const [pattern, parts] = [row.path.split("/"), target.split("/")];
  return (
    pattern.length === parts.length &&
    pattern.every((part, n) => (isParameter(part) ? parts[n] !== "" : part === parts[n]))
  );
}

/** Literal before parameter at the first segment where two rows differ. */
function byLiterals(a: Row, b: Row): number {
  const other = b.path.split("/");
  const differing = a.path.split("/").findIndex((part, n) => isParameter(part) !== isParameter(other[n]));
  return differing === -1 ? 0 : isParameter(other[differing]) ? -1 : 1;
}

test("the row found is the one that fits with its literals furthest left, and carries the path's own values", () => {
  fc.assert(
    fc.property(table, method, path, (rows, asking, target) => {
      const result = createRouter(rows)(asking, target);
      const fitting = rows.filter((row) => fits(row, target));
      const expected = fitting.filter((row) => row.method === asking).sort(byLiterals)[0];
      if (expected) {
        expect(result).toMatchObject({ kind: "found", row: expected });
        if (result.kind !== "found") return;
        for (const [name, value] of Object.entries(result.params)) {
          expect(target.split("/")[expected.path.split("/").lastIndexOf(`{${name}}`)]).toBe(value);
        }
      } else if (fitting.length > 0) {
        expect(result.kind === "other_methods" && new Set(result.methods)).toEqual(
          new Set(fitting.map((row) => row.method)),
        );
      } else {
        expect(result).toEqual({ kind: "unknown" });
      }
    }),
    { numRuns: 2_000 },
  );
});
