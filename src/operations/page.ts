import { z } from "zod";

/** The fields that every list takes in addition to its own (portal-resolved.md, section 2). */
const pageFields = {
  /** Elements of one page; without it the answer is the whole list. */
  limit: z.int().min(1).max(1_000).optional(),
  /** `x-tg-next` of the page before. */
  after: z.string().min(1).max(2_000).optional(),
  /** Text that a field of the element contains, in any letter case. */
  search: z.string().min(1).max(200).optional(),
  /** A field to sort by, `-` in front of it for the reverse order. */
  sort: z
    .string()
    .regex(
      /^-?[A-Za-z_][A-Za-z0-9_]{0,63}$/,
      "must be the name of a field, with `-` in front of it for the reverse order",
    )
    .optional(),
};

/** Which part of a list is wanted. */
export const ListPage = z.strictObject(pageFields);
export type ListPage = z.output<typeof ListPage>;

/** The names of the fields. */
export const pageFieldNames = Object.keys(pageFields) as readonly (keyof ListPage)[];

/** The list in an answer that is a table of rows. */
interface AnswerTable {
  readonly element: z.core.$ZodType;
  /** The member that holds the list; undefined where the answer is the list itself. */
  readonly member: string | undefined;
}

/** Returns the list that an answer is, or the only list among its members; undefined for an answer with none or several. */
export function findAnswerTable(output: z.ZodType | undefined): AnswerTable | undefined {
  if (output instanceof z.ZodArray) return { element: output.element, member: undefined };
  if (!(output instanceof z.ZodObject)) return undefined;
  const lists = Object.entries(output.shape).filter(([, schema]) => schema instanceof z.ZodArray);
  const [only, second] = lists;
  if (!only || second) return undefined;
  const [member, { element }] = only as [string, z.ZodArray];
  return { element, member };
}
