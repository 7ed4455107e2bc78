import { GatewayError } from "../../../../src/engine/errors.ts";
import type { Timeouts } from "../../../../src/engine/ports/provider.ts";
import type { Transport, WireAnswer, WireRequest } from "../../../../src/engine/ports/transport.ts";
import { createRedactor } from "../../../../src/engine/runtime/redaction.ts";
import { isSearchable, secretsOf } from "../../../../src/engine/runtime/request-secrets.ts";
import { usualTransport } from "../../../shared/http/usual-transport.ts";
import { systemClock } from "../../../system.ts";
import type { OperationDeadline, OperationDeadlineOptions } from "../../shared/deadline.ts";
import { backendFailure } from "../../shared/failure.ts";
import { type Gate, openGate } from "../../shared/gate.ts";
import { rowOf, type ServiceName } from "./apis.ts";
import type { OpenStackOptions } from "./options.ts";

/** One request to one address. */
export interface OutgoingRequest {
  readonly service: ServiceName;
  readonly method: WireRequest["method"];
  /** Absolute. */
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** A secret of our own in the body: no refusal that quotes it, now or later, is passed on with it. */
  readonly secret?: string | undefined;
}

/** Sends requests of a cloud under its deadlines. */
export interface Sender {
  /** Keystone's address without a trailing slash. */
  readonly authUrl: string;
  /** The terms of an operation that nobody waits for. */
  readonly settings: OperationDeadlineOptions;
  /** The answer, whatever its status; a failed network is `backend_unreachable`, `backend_timeout` or `backend_error`. */
  send(request: OutgoingRequest, deadline: OperationDeadline): Promise<WireAnswer>;
  /** Closes the sockets, unless the transport was given. */
  close(): Promise<void>;
}

/** The options of the back end, its deadlines in milliseconds. */
interface SenderOptions extends Omit<OpenStackOptions, "timeouts"> {
  readonly timeouts: Timeouts;
}

/** Requests of this process that one service answers at a time; the others wait. */
const mostAtOnce = 8;

/** The network, which all senders without a transport of their own share. */
const network = {};
const gates = new WeakMap<object, Map<string, Gate>>();

/** The gates of the services behind a transport, by name and address: regions of one Keystone share its gate. */
function gatesOf(transport: Transport | undefined): (address: string) => Gate {
  const own = gates.get(transport ?? network) ?? new Map<string, Gate>();
  gates.set(transport ?? network, own);
  return (address) => {
    const gate = own.get(address) ?? openGate(mostAtOnce);
    own.set(address, gate);
    return gate;
  };
}

/** Settles transport, deadlines and clock; throws `invalid_configuration` for an address that is none. */
export function openSender(options: SenderOptions): Sender {
  const authUrl = checkUrl("authUrl", options.authUrl);
  const { timeouts } = options;
  const own = new Set<string>();
  const ownTransport: Transport | undefined = options.transport === undefined ? usualTransport() : undefined;
  const transport = options.transport ?? (ownTransport as Transport);
  const gateOf = gatesOf(options.transport);
  return {
    authUrl,
    settings: { clock: options.clock ?? systemClock, whole: timeouts.whole, name: "OpenStack" },
    async send({ service, method, url, headers = {}, body, secret }, { signal }) {
      const { title } = rowOf(service);
      const json = body === undefined ? {} : { "content-type": "application/json" };
      const text = body === undefined ? undefined : JSON.stringify(body);
      if (secret !== undefined && isSearchable(secret)) own.add(secret);
      const all = { accept: "application/json", "user-agent": "tollgate", ...json, ...headers };
      try {
        const ask = () => transport.whole({ method, url, peer: title, headers: all, body: text, signal, timeouts });
        const answer = await gateOf(`${service} ${new URL(url).origin}`)(signal, ask);
        if (answer.status < 400) return answer;
        const redact = createRedactor([...secretsOf(headers), ...own]); // refusals are rare
        return { ...answer, body: redact(answer.body) };
      } catch (thrown) {
        throw backendFailure(thrown, title);
      }
    },
    close: async () => ownTransport?.close(),
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
