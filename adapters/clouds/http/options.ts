import { GatewayError } from "../../../src/engine/errors.ts";
import type { Clock } from "../../../src/engine/ports/clock.ts";
import type { Transport } from "../../../src/engine/ports/transport.ts";
import type { ServiceOptions } from "../../../src/operations/service-credential.ts";
import type { Caller, PortalCall } from "../../../src/portal/call/call.ts";
import { type Checks, checkedOptions, type Deadlines, durations, object, text } from "../../shared/options.ts";

/** How to reach another portal, and as whom. */
export interface UpstreamPortalOptions {
  /** Where its paths begin: `https://portal.example`, or `https://gateway.example/api`. */
  readonly url: string;
  /**
   * The access token that it is called with. It decides what is seen, for the upstream knows nothing of our callers: one text serves
   * callers of the provider only, a function gives each place of the tree its own, or none.
   */
  readonly token: string | ((caller: Caller) => string | undefined | Promise<string | undefined>);
  /** The service credential of a gateway that asks for one under its `/api`; the token where it has both forms. */
  readonly service?: ServiceOptions | undefined;
  /** The upstream's code of the region; ours unless given. */
  readonly region?: string | undefined;
  /** Deadlines, in milliseconds or as text such as `"10s"`: `connect` 5,000, `firstContent` 30,000, `gap` 15,000, `whole` 60,000 unless given. */
  readonly timeouts?: Deadlines | undefined;
  /** How requests are sent; undici of its own unless given. */
  readonly transport?: Transport | undefined;
  readonly clock?: Clock | undefined;
}

const checks: Checks<UpstreamPortalOptions> = {
  url: text,
  token: [(token) => typeof token === "string" || typeof token === "function", "a string or a function"],
  service: object,
  region: text,
  timeouts: durations,
  transport: object,
  clock: object,
};

/** Where the upstream's paths begin, once the options are found to be options; throws `invalid_configuration`. */
export function readAddress(options: UpstreamPortalOptions): string {
  const { url } = checkedOptions(options, checks, { of: "upstreamPortal", needs: ["url", "token"] });
  const parsed = URL.parse(url);
  const isGood = parsed !== null && /^https?:$/.test(parsed.protocol) && parsed.username === "" && parsed.search === "";
  if (isGood) return url.replace(/\/+$/, "");
  const message = "`url` must be an absolute http or https URL without user name and query.";
  throw new GatewayError("invalid_configuration", message, { param: "url" });
}

/** The token that a caller's operation is sent on with; throws `not_implemented` where there is none for its place. */
export async function tokenFor({ token }: UpstreamPortalOptions, { caller }: PortalCall): Promise<string> {
  const isProvider = Object.values(caller.scope).every((level) => level === undefined);
  const found = typeof token === "function" ? await token(caller) : isProvider ? token : undefined;
  if (found !== undefined) return found;
  const message =
    "The portal behind this region has no token for callers of this place: give the back end a function as `token`.";
  throw new GatewayError("not_implemented", message);
}
