import { GatewayError } from "../../../src/errors.ts";
import type { Timeouts } from "../../../src/ports.ts";
import type { Transport, WireAnswer, WireRequest } from "../../shared/http/transport.ts";
import { undiciTransport } from "../../shared/http/undici.ts";
import { systemClock } from "../../system.ts";
import { backendFailure } from "../shared/failure.ts";
import type { Work, WorkTerms } from "../shared/work.ts";
import { rowOf, type ServiceName } from "./apis.ts";
import type { OpenStackOptions } from "./options.ts";

/** One request to one address. */
export interface Letter {
  readonly service: ServiceName;
  readonly method: WireRequest["method"];
  /** Absolute. */
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Sent as JSON. */
  readonly body?: unknown;
}

/** Sends requests of a cloud under its deadlines. */
export interface Sender {
  /** Keystone's address without a trailing slash. */
  readonly authUrl: string;
  /** The terms of an operation that nobody waits for. */
  readonly terms: WorkTerms;
  /** The answer, whatever its status; a failed network is `backend_unreachable`, `backend_timeout` or `backend_error`. */
  send(letter: Letter, work: Work): Promise<WireAnswer>;
  /** Closes the sockets, unless the transport was given. */
  close(): Promise<void>;
}

const defaultTimeouts: Timeouts = { connect: 5_000, firstContent: 30_000, gap: 15_000, whole: 60_000 };

/** Settles transport, deadlines and clock; throws `invalid_configuration` for an address that is none. */
export function openSender(options: OpenStackOptions): Sender {
  const authUrl = checkUrl("authUrl", options.authUrl);
  const timeouts = { ...defaultTimeouts, ...options.timeouts };
  const own: Transport | undefined = options.transport === undefined ? undiciTransport() : undefined;
  const transport = options.transport ?? (own as Transport);
  return {
    authUrl,
    terms: { clock: options.clock ?? systemClock, whole: timeouts.whole, name: "OpenStack" },
    async send({ service, method, url, headers = {}, body }, { signal }) {
      const json = body === undefined ? {} : { "content-type": "application/json" };
      const text = body === undefined ? undefined : JSON.stringify(body);
      const all = { accept: "application/json", "user-agent": "tollgate", ...json, ...headers };
      try {
        return await transport.whole({ method, url, headers: all, body: text, signal, timeouts });
      } catch (thrown) {
        throw backendFailure(thrown, rowOf(service).title);
      }
    },
    close: async () => own?.close(),
  };
}

/** An absolute address without trailing slash, query and fragment. */
export function checkUrl(param: string, address: string): string {
  const url = URL.parse(address);
  const isGood = url !== null && /^https?:$/.test(url.protocol) && url.username === "" && url.search + url.hash === "";
  if (!isGood) {
    const message = `\`${param}\` must be an absolute http or https URL without user name, query and fragment.`;
    throw new GatewayError("invalid_configuration", message, { param });
  }
  return address.replace(/\/+$/, "");
}
