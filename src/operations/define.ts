import { z } from "zod";
import { findAnswerTable, ListPage } from "./page.ts";

/** The methods that an operation may have. The HTTP layer answers HEAD and OPTIONS. */
export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/**
 * Method and path in one string; `{name}` in the path is a parameter. As the last segment, `{+name}` takes the rest of the path,
 * including slashes, up to the suffix that follows it: `{+model}:generateContent`.
 */
export type RoutePattern = `${Method} /${string}`;

type MethodOf<R extends RoutePattern> = R extends `${infer M extends Method} /${string}` ? M : never;

/** The names of a path's parameters, read from the path itself. */
export type ParamsOf<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? (Name extends `+${infer Whole}` ? Whole : Name) | ParamsOf<Rest>
  : never;

/** A permission of the portal: its suffix is the method, so that a row cannot carry another method's permission. */
type Permission<M extends Method> = `${string}-${Lowercase<M>}`;

/** Who may call: any caller, the holder of a virtual key, or the holder of a token with this permission. */
export type OperationAccess<M extends Method = Method> = "open" | "virtual_key" | Permission<M>;

/** The input and output of an operation. */
export interface Shapes {
  /**
   * The body, or the query of GET and DELETE, without the path's parameters. A record of fields is closed (a field of another
   * name is refused); a schema is used unchanged.
   */
  readonly in?: z.ZodType | z.ZodRawShape;
  /** The answer; without it the answer is 204 with no body. */
  readonly out?: z.ZodType;
  /** One event of the answer, when it can come as a stream. */
  readonly stream?: z.ZodType;
  /** Query parameters in addition to a body. */
  readonly query?: z.ZodRawShape;
  /** The body of every failure, where it differs from the common error body. */
  readonly failure?: z.ZodType;
  /** The description of a 202 without a body, where the operation can answer one. */
  readonly accepted?: string;
  /** True for an extension of the specification. */
  readonly isExtension?: boolean;
  /** Fields of the answer that are shown only once and never stored. */
  readonly once?: readonly string[];
  /** Secret fields of the answer, or of each entry of a list, by the permission that they require in addition to the row's own. */
  readonly guarded?: Readonly<Record<string, Permission<Method>>>;
  /** True for an operation that changes nothing although its method is not GET. */
  readonly isQuery?: boolean;
  /** What the id in `x-tg-job` is of, where the operation begins work that goes on after the answer. */
  readonly job?: string;
  /** What the input must satisfy beyond the form of its fields, one sentence each: the document tells them, the operation checks them. */
  readonly rules?: readonly string[];
  /** True for an answer that is a secret itself, such as a key pair. */
  readonly isSecret?: boolean;
}

type ShapeInput<S extends Shapes> = S extends { in: infer In extends z.ZodType }
  ? In
  : S extends { in: infer Fields extends z.ZodRawShape }
    ? z.ZodObject<Fields, z.core.$strict>
    : never;
type OutputOf<S extends Shapes> = S extends { out: infer Out extends z.ZodType } ? Out : never;

/** One row of the operations table: everything that the router, the documents, the clients and the checks need. */
export interface Operation<
  M extends Method = Method,
  Param extends string = string,
  In extends z.ZodType = z.ZodType,
  Out extends z.ZodType = z.ZodType,
> {
  readonly method: M;
  readonly path: string;
  /** The path's parameters in order. */
  readonly params: readonly Param[];
  readonly access: OperationAccess<M>;
  readonly summary: string;
  readonly input: In | undefined;
  readonly output: Out | undefined;
  readonly stream: z.ZodType | undefined;
  /** Query parameters in addition to a body. */
  readonly query: z.ZodType | undefined;
  /** The body of every failure, where it differs from the common error body. */
  readonly failure: z.ZodType | undefined;
  /** The description of a 202 without a body, where the operation can answer one. */
  readonly accepted: string | undefined;
  readonly isExtension: boolean;
  /** Fields of the answer that are shown only once and never stored. */
  readonly once: readonly string[];
  /** Secret fields of the answer, or of each entry of a list, by the permission that they require in addition to the row's own. */
  readonly guarded: Readonly<Record<string, string>>;
  readonly isSecret: boolean;
  /** True for a list of the portal, which takes the fields of `ListPage` in addition. */
  readonly isList: boolean;
  /** True for an answer of the portal that is a list or has one among its members: it is served as CSV too. */
  readonly isTable: boolean;
  /** True for an operation that changes nothing although its method is not GET. */
  readonly isQuery: boolean;
  /** What the id in `x-tg-job` is of, where the operation begins work that goes on after the answer. */
  readonly job: string | undefined;
  /** What the input must satisfy beyond the form of its fields, one sentence each. */
  readonly rules: readonly string[];
}

/** Operations by name. */
export type OperationTable = Readonly<Record<string, Operation>>;

type OperationRow<R extends RoutePattern, S extends Shapes> = Operation<
  MethodOf<R>,
  ParamsOf<R>,
  ShapeInput<S>,
  OutputOf<S>
>;

/** Returns a row. The types read the path's parameters and refuse a permission whose suffix is not the method. */
// biome-ignore lint/complexity/useMaxParams: a row of the table reads as one line (DESIGN, section 3)
export function op<const R extends RoutePattern, const S extends Shapes>(
  route: R,
  access: OperationAccess<MethodOf<R>>,
  summary: string,
  shapes: S = {} as S, // seam: S is inferred from the argument, or is Shapes itself when there is none
): OperationRow<R, S> {
  const { method, path } = splitRoute(route);
  const isList = isPaged(method, access, shapes);
  const row: Operation = {
    method,
    path,
    params: [...path.matchAll(/\{\+?([^}]+)\}/g)].map(([, name]) => name ?? ""),
    access,
    summary,
    input: toSchema(shapes.in),
    output: shapes.out,
    stream: shapes.stream,
    query: isList ? ListPage : toSchema(shapes.query),
    isList,
    isTable: isTableOf(method, access, shapes),
    failure: shapes.failure,
    accepted: shapes.accepted,
    isExtension: shapes.isExtension === true,
    once: shapes.once ?? [],
    guarded: shapes.guarded ?? {},
    isSecret: shapes.isSecret === true,
    isQuery: shapes.isQuery === true,
    job: shapes.job,
    rules: shapes.rules ?? [],
  };
  return Object.freeze(row) as OperationRow<R, S>;
}

/** Returns the method and the path of a route. */
export function splitRoute(route: RoutePattern): Pick<Operation, "method" | "path"> {
  const space = route.indexOf(" ");
  return { method: route.slice(0, space) as Method, path: route.slice(space + 1) };
}

/** True for a list of the portal that does not page itself. */
function isPaged(method: Method, access: string, shapes: Shapes): boolean {
  const isOwn = shapes.in !== undefined && "limit" in shapes.in;
  return isTableOf(method, access, shapes) && shapes.out instanceof z.ZodArray && !isOwn;
}

function isTableOf(method: Method, access: string, { out }: Shapes): boolean {
  return method === "GET" && access.includes("-") && findAnswerTable(out) !== undefined;
}

function toSchema(input: Shapes["in"]): z.ZodType | undefined {
  if (input === undefined || input instanceof z.ZodType) return input;
  return z.strictObject(input);
}
