import type { ServiceOptions } from "../../../src/operations/service-credential.ts";
import type { Caller } from "../../../src/portal/call.ts";
import type { Clock, Timeouts } from "../../../src/ports.ts";
import type { Transport } from "../../shared/http/transport.ts";

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
  /** Deadlines in milliseconds: `connect` 5,000, `firstContent` 30,000, `gap` 15,000, `whole` 60,000 unless given. */
  readonly timeouts?: Partial<Timeouts> | undefined;
  /** How requests are sent; undici of its own unless given. */
  readonly transport?: Transport | undefined;
  readonly clock?: Clock | undefined;
}
