import type { FaultServer } from "../../../src/testing/faults/server/start.ts";
import { type Ending, post, type RawConnection, type RawMessage, readMessage, streamedText, wholeText } from "./raw.ts";

/** Where each dialect is asked. */
export const paths = { openai: "/v1/chat/completions", anthropic: "/v1/messages" } as const;
export type DialectName = keyof typeof paths;

export const question = [{ role: "user", content: "hi" }];
/** Asks for a stream. */
export const stream = { stream: true };

/** A message and how its connection ended. */
export interface Answered extends RawMessage {
  readonly ending: Ending;
}

/** Asks the fault server in one dialect, over a connection for each request; every test has a tag of its own. */
export interface Asker {
  open(model: string, more?: object, headers?: Readonly<Record<string, string>>): RawConnection;
  ask(model: string, more?: object, headers?: Readonly<Record<string, string>>): Promise<Answered>;
  /** The calls of this test, as the fault server noted them. */
  log(): ReturnType<FaultServer["log"]>;
  /** The fault server has answered somebody else since it said this (it has to be the last that it says), and has not said more. */
  isSilentAfter(connection: RawConnection, said: RegExp): Promise<boolean>;
}

export function askerOf(faultServer: FaultServer, dialect: DialectName, test: number): Asker {
  const tag = `${dialect}-${test}`;
  const open: Asker["open"] = (model, more = {}, headers = {}) => {
    const body = { model: `${model}~${tag}`, messages: question, max_tokens: 9, ...more };
    return post(faultServer.url, { path: paths[dialect], body, headers: { connection: "close", ...headers } });
  };
  const ask: Asker["ask"] = async (model, more, headers) => {
    const connection = open(model, more, headers);
    const ending = await connection.over;
    return { ...readMessage(connection), ending };
  };
  const lengthOf = ({ pieces }: RawConnection) => pieces.reduce((sum, piece) => sum + piece.length, 0);
  return {
    open,
    ask,
    log: () => faultServer.log(tag),
    async isSilentAfter(connection, said) {
      await connection.received(said);
      await ask("steady");
      const before = lengthOf(connection);
      await ask("steady");
      return connection.ending === "open" && lengthOf(connection) === before;
    },
  };
}

/** The text of an answer, whole or streamed. */
export function textOf(message: RawMessage): string {
  const isStream = message.headers["content-type"]?.includes("event-stream");
  return isStream ? streamedText(message.body) : wholeText(message.body);
}
