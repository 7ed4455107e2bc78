import type { RedisCacheClient } from "tollgate/caches/redis";
import { type ConfiguredServer, throwUnusable } from "../unusable.ts";

/** A client that goes on through a lost connection, and who closes it. */
export interface RedisConnection {
  readonly client: RedisCacheClient;
  /** The server's INFO; empty if the server does not provide it. */
  info(): Promise<string>;
  /** The server's setting `save`, empty where it takes no snapshots; `undefined` if the server does not provide it. */
  snapshots(): Promise<string | undefined>;
  close(): Promise<void>;
}

/** What is used of a client of one server. */
export interface Client extends Startable {
  ping(): Promise<unknown>;
}

/** What starting and ending need of any client. */
export interface Startable {
  readonly isReady: boolean;
  close(): Promise<unknown>;
  destroy(): unknown;
  on(event: "error", onError: (thrown: unknown) => void): unknown;
}

/** Milliseconds within which a server must answer at startup. Later failures go to the calls that need the server. */
const timeoutMs = 5_000;

/** Milliseconds that a close waits for what was sent: a server that is gone answers none of it, and a client would wait for ever. */
const closeMs = 2_000;

/** Waits for the answers to what was sent, but no longer than two seconds. */
export async function closeInTime(client: Startable): Promise<void> {
  if (!client.isReady) return void client.destroy(); // without a connection, nothing is left to send
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<"late">((resolve) => {
    timer = setTimeout(resolve, closeMs, "late");
  });
  const outcome = await Promise.race([client.close().catch(() => "late"), late]);
  clearTimeout(timer);
  if (outcome === "late") await client.destroy();
}

/** Waits for a client's first connection; where there is none within five seconds, see {@link throwUnusable}. */
export async function untilConnected(
  server: ConfiguredServer,
  client: Startable,
  connected: Promise<unknown>,
): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(unanswered(server.address)), timeoutMs);
  });
  try {
    await Promise.race([connected, late]).catch((thrown) => throwUnusable(server, thrown));
  } catch (thrown) {
    await client.destroy();
    throw thrown;
  } finally {
    clearTimeout(timer);
  }
}

function unanswered(address: string): Error {
  const tls = /^rediss:/i.test(address) ? " over TLS; of a server without it, the address begins with `redis://`" : "";
  return Object.assign(new Error(`no answer within ${timeoutMs / 1_000} s${tls}`), { code: "ETIMEDOUT" });
}
