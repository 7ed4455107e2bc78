import { z } from "zod";

/** The methods that an operation may have; HEAD and OPTIONS are answered by the HTTP layer. */
type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/**
 * Method and path in one string; `{name}` in the path is a parameter. As the last segment, `{+name}` takes all that is left of the path,
 * slashes included, up to what stands behind it: `{+model}:generateContent`.
 */
export type Route = `${Method} /${string}`;

type MethodOf<R extends Route> = R extends `${infer M extends Method} /${string}` ? M : never;

/** The names of a path's parameters, read from the path itself. */
export type ParamsOf<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? (Name extends `+${infer Whole}` ? Whole : Name) | ParamsOf<Rest>
  : never;

/** A permission of the portal: its suffix is the method, so that a row cannot carry another method's permission. */
type Permission<M extends Method> = `${string}-${Lowercase<M>}`;

/** Who may call: anybody, the holder of a virtual key, or the holder of a token with this permission. */
export type Access<M extends Method = Method> = "open" | "virtual_key" | Permission<M>;

/** What goes in and what comes out of an operation. */
export interface Shapes {
  /**
   * The body, or the query of GET and DELETE, without the path's parameters. A record of fields is closed (a field of another
   * name is refused); a schema is taken as it is.
   */
  readonly in?: z.ZodType | z.ZodRawShape;
  /** The answer; without it the answer is 204 with no body. */
  readonly out?: z.ZodType;
  /** One event of the answer, when it can come as a stream. */
  readonly stream?: z.ZodType;
  /** Parameters of the query beside a body. */
  readonly query?: z.ZodRawShape;
  /** The body of every failure, where it is not the one error body. */
  readonly failure?: z.ZodType;
  /** What a 202 without a body says, when the answer can be one. */
  readonly accepted?: string;
  /** Ours, beyond the specification. */
  readonly isExtension?: boolean;
  /** Fields of the answer that are shown this once, and kept nowhere. */
  readonly once?: readonly string[];
  /** Fields of the answer, or of each entry of a list, that hold a secret for those only who have this permission beside the row's own. */
  readonly guarded?: Readonly<Record<string, Permission<Method>>>;
}

type InputOf<S extends Shapes> = S extends { in: infer In extends z.ZodType }
  ? In
  : S extends { in: infer Fields extends z.ZodRawShape }
    ? z.ZodObject<Fields, z.core.$strict>
    : never;
type OutputOf<S extends Shapes> = S extends { out: infer Out extends z.ZodType } ? Out : never;

/** One row of the operations table: everything that router, documents, clients and checks need to know. */
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
  readonly access: Access<M>;
  readonly summary: string;
  readonly input: In | undefined;
  readonly output: Out | undefined;
  readonly stream: z.ZodType | undefined;
  /** Parameters of the query beside a body. */
  readonly query: z.ZodType | undefined;
  /** The body of every failure, where it is not the one error body. */
  readonly failure: z.ZodType | undefined;
  /** What a 202 without a body says, when the answer can be one. */
  readonly accepted: string | undefined;
  readonly isExtension: boolean;
  /** Fields of the answer that are shown this once, and kept nowhere. */
  readonly once: readonly string[];
  /** Fields of the answer, or of each entry of a list, that hold a secret for those only who have this permission beside the row's own. */
  readonly guarded: Readonly<Record<string, string>>;
}

/** Operations by our own word for them. */
export type Table = Readonly<Record<string, Operation>>;

type Row<R extends Route, S extends Shapes> = Operation<MethodOf<R>, ParamsOf<R>, InputOf<S>, OutputOf<S>>;

/** Makes a row. The types read the path's parameters and refuse a permission whose suffix is not the method. */
// biome-ignore lint/complexity/useMaxParams: a row of the table reads as one line (DESIGN, section 3)
export function op<const R extends Route, const S extends Shapes>(
  route: R,
  access: Access<MethodOf<R>>,
  summary: string,
  shapes: S = {} as S, // seam: S is inferred from the argument, or is Shapes itself when there is none
): Row<R, S> {
  const { method, path } = placeOf(route);
  const row: Operation = {
    method,
    path,
    params: [...path.matchAll(/\{\+?([^}]+)\}/g)].map(([, name]) => name ?? ""),
    access,
    summary,
    input: toSchema(shapes.in),
    output: shapes.out,
    stream: shapes.stream,
    query: toSchema(shapes.query),
    failure: shapes.failure,
    accepted: shapes.accepted,
    isExtension: shapes.isExtension === true,
    once: shapes.once ?? [],
    guarded: shapes.guarded ?? {},
  };
  return Object.freeze(row) as Row<R, S>;
}

/** The method and the path of a route. */
export function placeOf(route: Route): Pick<Operation, "method" | "path"> {
  const space = route.indexOf(" ");
  return { method: route.slice(0, space) as Method, path: route.slice(space + 1) };
}

function toSchema(input: Shapes["in"]): z.ZodType | undefined {
  if (input === undefined || input instanceof z.ZodType) return input;
  return z.strictObject(input);
}
