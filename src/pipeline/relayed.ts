import type { ChatRequest } from "../api/chat.ts";
import type { GatewayError } from "../errors.ts";
import type { Journey } from "./ask.ts";
import type { Opened } from "./stream.ts";
import type { Served } from "./target.ts";
import type { Teller } from "./tell.ts";

/** A stream on its way to the caller. */
export interface Relay {
  readonly journey: Journey;
  readonly request: ChatRequest;
  readonly teller: Teller;
  /** Milliseconds since the epoch. */
  readonly firstContentAt: number;
  /** Who is read now; another one after a recovery. */
  served: Served<Opened>;
  /** How many of its held chunks were told. */
  told: number;
  /** Called when the attempt is ended from our side while nobody waits for a chunk. */
  readonly onIdleFailure: (error: GatewayError) => void;
}
