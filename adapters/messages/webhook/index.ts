import { lookup } from "node:dns";
import { isIP, type LookupFunction } from "node:net";
import { Agent, errors, request } from "undici";
import { GatewayError } from "../../../src/engine/errors.ts";
import type { WebhookSender } from "../../../src/engine/ports/messages/senders.ts";
import type { Duration } from "../../../src/engine/runtime/duration.ts";
import { requireDispatch } from "../../shared/http/dispatch/can-dispatch.ts";
import { type Checks, checkedOptions, duration, msOf } from "../../shared/options.ts";
import { isNetwork, judgeAddresses, type MayCall } from "./addresses.ts";

export type { WebhookPost, WebhookSender } from "../../../src/engine/ports/messages/senders.ts";

/** The options of webhooks. */
export interface WebhookOptions {
  /** Networks that may be called although they are not public, as `10.1.0.0/16` or one address. None unless given. */
  readonly allow?: readonly string[] | undefined;
  /** How long may pass, in milliseconds or as text, for connecting, and for the answer. `"10s"` unless given. */
  readonly timeoutMs?: Duration | undefined;
}

const checks: Checks<WebhookOptions> = {
  allow: [(value) => Array.isArray(value) && value.every(isNetwork), "a list of networks such as `10.1.0.0/16`"],
  timeoutMs: duration,
};

/** Bytes of an answer that are read so that its connection can be used again. */
const mostRead = 16_384;

/**
 * Sends webhooks: `createPortal({ webhooks: webhook() })`. It calls public addresses only, and those of `allow`: each address that a name
 * resolves to is checked, and the one that was checked is called. Redirects are not followed, and no proxy is used. Throws
 * `invalid_configuration`; where undici cannot dispatch (Bun), so does every call of what it returns.
 */
export function webhook(options: WebhookOptions = {}): WebhookSender {
  const checked = checkedOptions(options, checks, { of: "webhook" });
  const { allow = [] } = checked;
  const timeoutMs = msOf(checked.timeoutMs, 10_000);
  const mayCall = judgeAddresses(allow);
  const dispatcher = new Agent({
    connect: { timeout: timeoutMs, lookup: checkedLookup(mayCall) },
    ...{ headersTimeout: timeoutMs, bodyTimeout: timeoutMs, connections: 8, keepAliveTimeout: 1_000 },
    ...{ maxHeaderSize: mostRead, pipelining: 1 },
  });
  return {
    check: (url) => void readUrl(url, mayCall),
    async post({ url, headers, body }) {
      const { href } = readUrl(url, mayCall);
      try {
        const answer = await request(href, { method: "POST", headers, body, dispatcher });
        await answer.body.dump({ limit: mostRead });
        return { status: answer.statusCode };
      } catch (thrown) {
        throw toGatewayError(thrown);
      }
    },
  };
}

/** Returns the URL. Throws `invalid_request` for one that may not be called whatever its name resolves to. */
function readUrl(text: string, mayCall: MayCall): URL {
  requireDispatch("webhook"); // or the addresses that a name resolves to would not be checked
  if (!URL.canParse(text)) throw refuse("is no URL");
  const url = new URL(text);
  if (url.protocol !== "https:" && url.protocol !== "http:") throw refuse("must begin with `https://` or `http://`");
  if (url.username !== "" || url.password !== "") throw refuse("must have no user and no password");
  const host = url.hostname.replace(/^\[|\]$/g, "");
  if (isIP(host) !== 0 && !mayCall(host)) throw notPublic();
  return url;
}

/** Resolves a name, and fails unless every address of it may be called. */
function checkedLookup(mayCall: MayCall): LookupFunction {
  return (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, addresses) => {
      if (error) return callback(error, []);
      if (addresses.length === 0 || !addresses.every(({ address }) => mayCall(address)))
        return callback(notPublic() as NodeJS.ErrnoException, []);
      const [first] = addresses;
      return options.all ? callback(null, addresses) : callback(null, first?.address ?? "", first?.family ?? 4);
    });
  };
}

function toGatewayError(thrown: unknown): GatewayError {
  if (thrown instanceof GatewayError) return thrown;
  const isLate =
    thrown instanceof errors.ConnectTimeoutError ||
    thrown instanceof errors.HeadersTimeoutError ||
    thrown instanceof errors.BodyTimeoutError;
  if (isLate) return new GatewayError("upstream_timeout", "The receiver of the webhook did not answer in time.");
  return new GatewayError("upstream_unreachable", "The receiver of the webhook could not be reached.");
}

function notPublic(): GatewayError {
  const message = "leads to an address that is not public; the operator can allow its network (`webhooks.allow`)";
  return refuse(message);
}

function refuse(problem: string): GatewayError {
  return new GatewayError("invalid_request", `\`url\`: ${problem}.`, { param: "url" });
}
