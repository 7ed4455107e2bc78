import type { z } from "zod";
import type { MaybePromise } from "../ports/maybe-promise.ts";
import type { Operation, Table } from "./define.ts";

/** What an operation takes: the path's parameters and the fields of its input, in one object. */
export type InputOf<Op extends Operation> =
  Op extends Operation<infer _Method, infer Param, infer In, infer _Out>
    ? Readonly<Record<Param, string>> & ([In] extends [never] ? unknown : z.output<In>)
    : never;

/** What an operation answers; nothing where the table shows no output. */
export type AnswerOf<Op extends Operation> =
  Op extends Operation<infer _Method, infer _Param, infer _In, infer Out>
    ? [Out] extends [never]
      ? undefined
      : z.input<Out>
    : never;

/** The typed client of a table: one function per operation. */
export type Calls<Rows extends Table> = {
  readonly [Name in keyof Rows]: (input: InputOf<Rows[Name]>) => Promise<AnswerOf<Rows[Name]>>;
};

/** What serves a table: one method per operation. A method that is missing is answered with `not_implemented`, never with a made-up answer. */
export type Backend<Rows extends Table, Context> = {
  readonly [Name in keyof Rows]?: (input: InputOf<Rows[Name]>, context: Context) => MaybePromise<AnswerOf<Rows[Name]>>;
};
