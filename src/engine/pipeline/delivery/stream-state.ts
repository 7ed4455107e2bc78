import type { ChatRequest } from "../../api/chat.ts";
import type { GatewayError } from "../../errors.ts";
import type { Candidates } from "../attempts/candidates.ts";
import type { Served } from "../attempts/target.ts";
import type { StreamState } from "./chunk-writer.ts";
import type { CommittedStream } from "./first-content.ts";

/** A stream on its way to the caller. */
export interface StreamDelivery {
  readonly candidates: Candidates;
  readonly request: ChatRequest;
  readonly state: StreamState;
  /** Milliseconds since the epoch. */
  readonly firstContentAt: number;
  /** The target being read; another one after a recovery. */
  served: Served<CommittedStream>;
  /** How many of its buffered chunks were sent. */
  sentCount: number;
  /** Called when the attempt is ended from our side while no reader waits for a chunk. */
  readonly onIdleFailure: (error: GatewayError) => void;
}
