import { fileURLToPath } from "node:url";
import { expect } from "vitest";
import { isGatewayError } from "../../../src/engine/errors.ts";
import type { OperationTable } from "../../../src/operations/define.ts";
import { invoke } from "../../../src/operations/invoke.ts";
import type { PortalCall } from "../../../src/portal/call/call.ts";

/** One call of an operation as it is compared between back ends: what was asked, and what came of it. */
export interface Line {
  readonly title: string;
  readonly operation: string;
  readonly status: number;
  /** The answer, or the error's code and field. */
  readonly answer: unknown;
}

/** Calls the operations of an area, each through its schemas, and writes down what came of them. */
export interface Transcript {
  readonly lines: readonly Line[];
  /** Gives the answer, or nothing when the call was refused. */
  tell(title: string, operation: string, input?: Readonly<Record<string, unknown>>, by?: PortalCall): Promise<unknown>;
}

/** What a transcript is made with. */
export interface TranscriptOptions {
  readonly rows: OperationTable;
  readonly backend: object;
  /** Who calls unless a line says otherwise. */
  readonly call: PortalCall;
  /** Takes out of an answer what differs from run to run. */
  readonly normalise: (answer: unknown) => unknown;
}

/** Calls operations one after the other and keeps what came of them. */
export function openTranscript({ rows, backend, call, normalise }: TranscriptOptions): Transcript {
  const lines: Line[] = [];
  const methods = backend as Readonly<Record<string, ((input: never, call: PortalCall) => unknown) | undefined>>;
  return {
    lines,
    // biome-ignore lint/complexity/useMaxParams: a line of the story reads as one line
    async tell(title, name, input = {}, by = call) {
      const operation = rows[name];
      if (operation === undefined) throw new Error(`no row ${name}`);
      const method = methods[name];
      const bound = method && ((checked: never) => method(checked, by));
      const permissions = new Set([operation.access]);
      try {
        const answer = await invoke({ name, operation, input, permissions, region: by.region }, bound);
        lines.push({ title, operation: name, status: answer === undefined ? 204 : 200, answer: normalise(answer) });
        return answer;
      } catch (thrown) {
        if (!isGatewayError(thrown)) throw thrown;
        const { code, param, status } = thrown;
        if (code === "internal") throw thrown.cause ?? thrown;
        lines.push({ title, operation: name, status, answer: param === undefined ? { code } : { code, param } });
        return undefined;
      }
    },
  };
}

/** A copy in which every text has been through `change`, keys included, and keys are in order: no server promises one. */
export function mapTexts(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === "string") return change(value);
  if (Array.isArray(value)) return value.map((item) => mapTexts(item, change));
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([key, field]) => [change(key), mapTexts(field, change)] as const);
  return Object.fromEntries(entries.toSorted(([one], [other]) => (one < other ? -1 : 1)));
}

/** Compares with what every back end answers; `vitest -u` on the real servers writes it anew. */
export async function expectTranscript(lines: unknown, name: string): Promise<void> {
  const path = fileURLToPath(new URL(`../../fixtures/contract/${name}.json`, import.meta.url));
  await expect(`${JSON.stringify(lines, null, 1)}\n`).toMatchFileSnapshot(path);
}
