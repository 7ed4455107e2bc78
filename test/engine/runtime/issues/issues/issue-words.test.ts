import { expect, it } from "vitest";
import { z } from "zod";
import { describeIssues } from "../../../../../src/engine/runtime/issues/issues.ts";

const wordsOf = (schema: z.ZodType, value: unknown) => {
  const { error } = z.object({ field: schema }).safeParse(value === undefined ? {} : { field: value });
  return describeIssues(error?.issues ?? []).message;
};

interface Case {
  readonly schema: z.ZodType;
  readonly value: unknown;
  readonly words: string;
}

const cases: readonly [name: string, schema: z.ZodType, value: unknown, words: string][] = [
  ["a type", z.number(), "x", "must be a number, not a string"],
  ["a number of a query", z.coerce.number(), "x", "must be a number"],
  ["a fraction", z.int(), 1.5, "must be a whole number"],
  ["what is missing", z.array(z.string()), undefined, "is missing: it must be a list"],
  ["null", z.string(), null, "must be a string, not null"],
  ["a bound of text", z.string().max(3), "xxxx", "must have at most 3 characters"],
  ["an empty text", z.string().min(1), "", "must not be empty"],
  ["a bound of a list", z.array(z.string()).min(2), [], "must have at least 2 items"],
  ["a bound of a number", z.number().max(5), 6, "must be at most 5"],
  ["an open bound", z.number().gt(0), 0, "must be more than 0"],
  ["a step", z.number().multipleOf(5), 6, "must be a multiple of 5"],
  ["a choice", z.enum(["a", "b"]), "c", "must be one of a, b"],
  ["a constant", z.literal("a"), "c", 'must be "a"'],
  [
    "an instant",
    z.iso.datetime({ offset: true }),
    "now",
    "must be an instant with its offset (RFC 3339), such as 2026-11-27T10:00:00Z",
  ],
  ["a date", z.iso.date(), "now", "must be a date, such as 2026-11-27"],
  ["a URL", z.url(), "x", "must be a URL"],
  ["an address of mail", z.email(), "x", "must be an e-mail address"],
  ["a range", z.cidrv4(), "x", "must be an IPv4 range, such as 10.1.0.0/16"],
  ["a pattern", z.string().regex(/^a/), "x", "must match the pattern /^a/"],
  ["a name", z.record(z.string().min(1), z.string()), { "": "x" }, "is not a valid name: it must not be empty"],
  ["words of our own", z.string().regex(/^a/, "must begin with a"), "x", "must begin with a"],
  [
    "a kind",
    z.discriminatedUnion("kind", [z.object({ kind: z.literal("a") }), z.object({ kind: z.literal("b") })]),
    { kind: "c" },
    "must be one of a, b",
  ],
];

it.each(cases.map(([name, schema, value, words]): [string, Case] => [name, { schema, value, words }]))(
  "%s is described as a person would",
  (_, { schema, value, words }) => {
    expect(wordsOf(schema, value)).toBe(words);
  },
);

it("no message of zod's own reaches a caller", () => {
  const schemas = [
    z.bigint(),
    z.map(z.string(), z.string()),
    z.set(z.string()),
    z.date(),
    z.file(),
    z.base64(),
    z.uuid(),
    z.ipv6(),
    z.iso.time(),
  ];
  for (const schema of schemas) expect(wordsOf(schema, Symbol("odd"))).not.toMatch(/Invalid|expected|received/);
});
