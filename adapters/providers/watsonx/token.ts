import { parseJson } from "../../../src/engine/dialects/wire-values.ts";
import { GatewayError } from "../../../src/engine/errors.ts";
import type { Transport, WireRequest } from "../../../src/engine/ports/transport.ts";
import { withoutCredential } from "../../shared/http/authorized.ts";
import { abortError } from "../../shared/http/failure.ts";

/** What waits for a token, and when it began: milliseconds since the epoch. */
export interface TokenRequest extends Pick<WireRequest, "signal" | "timeouts" | "via"> {
  readonly now: number;
}

/** Access tokens of IBM's cloud, which an API key is exchanged for. */
export interface IamTokens {
  /** The token that is good now; calls that come while one is exchanged wait for that one. */
  give(waiting: TokenRequest): Promise<string>;
  /** Lets go of a token that was refused; true where it was cached, so that a new one may do. */
  forget(token: string): boolean;
}

/** Who exchanges. */
export interface IamClient {
  readonly provider: string;
  readonly apiKey: string;
  /** The address of IBM's identity service. */
  readonly url: string;
  readonly transport: Transport;
}

interface IamToken {
  readonly value: string;
  /** Milliseconds since the epoch from which on another one is asked for, and when this one ends. */
  readonly renewAt: number;
  readonly endsAt: number;
}

/** A token is renewed when so much of its life is left. */
const renewalShare = 0.1;

export function iamTokens(client: IamClient): IamTokens {
  let cached: IamToken | undefined;
  let coming: Promise<IamToken> | undefined;

  async function renew(waiting: TokenRequest): Promise<IamToken> {
    coming ??= exchange(client, waiting).finally(() => {
      coming = undefined;
    });
    const token = await coming;
    cached = token;
    return token;
  }

  return {
    async give(waiting) {
      const { now, signal } = waiting;
      const current = cached;
      if (current !== undefined && now < current.renewAt) return current.value;
      try {
        return (await untilAborted(renew(waiting), signal)).value;
      } catch (thrown) {
        if (current !== undefined && now < current.endsAt && !signal.aborted) return current.value;
        throw thrown;
      }
    },
    forget(token) {
      if (cached?.value !== token) return false;
      cached = undefined;
      return true;
    },
  };
}

/** One exchange serves several calls, so none of them ends it. */
async function exchange(
  { provider, apiKey, url, transport }: IamClient,
  { now, timeouts, via }: TokenRequest,
): Promise<IamToken> {
  const form = new URLSearchParams({ grant_type: "urn:ibm:params:oauth:grant-type:apikey", apikey: apiKey });
  const { status, body } = await transport.whole({
    method: "POST",
    url,
    peer: provider,
    headers: { accept: "application/json", "content-type": "application/x-www-form-urlencoded" },
    body: `${form}`,
    signal: new AbortController().signal,
    timeouts,
    via,
  });
  const answer = parseJson(body) as { access_token?: unknown; expires_in?: unknown } | undefined;
  const { access_token: value, expires_in: seconds } = answer ?? {};
  if (status < 300 && typeof value === "string" && typeof seconds === "number" && seconds > 0) {
    const life = seconds * 1_000;
    return { value, renewAt: now + life * (1 - renewalShare), endsAt: now + life };
  }
  const message = `The identity service of ${provider} answered ${status}${status < 300 ? " without a token" : ""}.`;
  if (status === 400 || status === 401 || status === 403) throw withoutCredential("apiKey", provider, message);
  const upstream = { status: status < 300 ? 502 : status, message };
  throw new GatewayError("upstream_error", message, { provider, upstream });
}

/** The exchanged token, or the error of a call that ended before it came. */
function untilAborted(token: Promise<IamToken>, signal: WireRequest["signal"]): Promise<IamToken> {
  if (signal.aborted) return Promise.reject(abortError(signal));
  return new Promise((resolve, reject) => {
    signal.addEventListener("abort", () => reject(abortError(signal)));
    token.then(resolve, reject);
  });
}
