import { rows } from "virtual:rows";
import type { AnswerOf, InputOf } from "../../../src/operations/calls.ts";
import type { Operation } from "../../../src/operations/define.ts";
import type { AreaName, Areas } from "../../../src/operations/portal/table.ts";
import { type Received, type Sent, send } from "./request.ts";

/** One operation as a function; the second argument ends it early. */
export type ApiCall<Row extends Operation> = (input: InputOf<Row>, signal?: AbortSignal) => Promise<AnswerOf<Row>>;

/** The typed client: `api.ai.createKey({ … })`. */
export type Api = {
  readonly [Area in AreaName]: {
    readonly [Name in keyof Areas[Area]]: Areas[Area][Name] extends infer Row extends Operation ? ApiCall<Row> : never;
  };
};

/** The operations as functions, made of the table's rows. */
export const api = Object.fromEntries(
  Object.entries(rows).map(([area, calls]) => [
    area,
    Object.fromEntries(
      Object.keys(calls).map((name) => [
        name,
        async (input: Record<string, unknown>, signal?: AbortSignal) =>
          (await callRow(`${area}.${name}`, input, signal)).value,
      ]),
    ),
  ]),
) as unknown as Api; // seam: the functions are made of the rows whose types these are

/** Calls the row with that key, `area.name`, and returns the headers with the answer. */
export function callRow(key: string, input: Record<string, unknown>, signal?: AbortSignal): Promise<Received> {
  return send(toSent(rowOf(key), input, signal));
}

/** Returns method, path and permission of a row. Throws for a key that no row has. */
export function rowOf(key: string): readonly [method: string, path: string, access: string, isSecret: boolean] {
  const [area = "", name = ""] = key.split(".");
  const row = rows[area]?.[name];
  if (row === undefined) throw new Error(`The table has no row ${key}.`);
  return row;
}

/** True where the table of this build has the row. */
export function hasRow(key: string): boolean {
  const [area = "", name = ""] = key.split(".");
  return rows[area]?.[name] !== undefined;
}

function toSent(
  [method, pattern]: ReturnType<typeof rowOf>,
  input: Record<string, unknown>,
  signal?: AbortSignal,
): Sent {
  const fields = { ...input };
  const path = pattern.slice(1).replace(/\{\+?([^}]+)\}/g, (_whole, name: string) => {
    const value = fields[name];
    delete fields[name];
    return encodeURIComponent(String(value ?? ""));
  });
  return { method, path, fields, signal };
}
