import type { z } from "zod";
import type { MaybePromise } from "../engine/runtime/maybe-promise.ts";
import type { Operation, OperationTable } from "./define.ts";

/** The input of an operation: the path's parameters and the fields of its input, in one object. */
export type InputOf<Op extends Operation> =
  Op extends Operation<infer _Method, infer Param, infer In, infer _Out>
    ? Readonly<Record<Param, string>> & ([In] extends [never] ? unknown : z.output<In>)
    : never;

/** The answer of an operation; undefined where its row has no output. */
export type AnswerOf<Op extends Operation> =
  Op extends Operation<infer _Method, infer _Param, infer _In, infer Out>
    ? [Out] extends [never]
      ? undefined
      : z.input<Out>
    : never;

/** The typed client of a table: one function per operation. */
export type Calls<Rows extends OperationTable> = {
  readonly [Name in keyof Rows]: (input: InputOf<Rows[Name]>) => Promise<AnswerOf<Rows[Name]>>;
};

/** The back end of a table: one method per operation. A call of a missing method throws `not_implemented`. */
export type Backend<Rows extends OperationTable, Context> = {
  readonly [Name in keyof Rows]?: (input: InputOf<Rows[Name]>, context: Context) => MaybePromise<AnswerOf<Rows[Name]>>;
};
