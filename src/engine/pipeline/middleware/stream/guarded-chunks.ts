import type { ChatChunk } from "../../../api/chat.ts";
import { GatewayError, toGatewayError, withDetails } from "../../../errors.ts";
import { type Call, cancelCall, emitFailure } from "../../call/call.ts";
import type { MiddlewareHold } from "../../call/middleware-hold.ts";
import { offCancel, onCancel } from "../../runtime/cancellation.ts";
import type { Interrupt } from "../../runtime/ports.ts";
import { releaseCall } from "../release.ts";
import type { ChunkGuard } from "./chunk-guard.ts";

type Chunk = IteratorResult<ChatChunk, undefined>;
const over: Chunk = { done: true, value: undefined };

/**
 * A stream behind its guards. Its call is settled when the guards have passed the last of it; an unread one, at the call's
 * deadline. After a failure it throws and never looks complete.
 */
export class GuardedChunks implements AsyncIterableIterator<ChatChunk, undefined> {
  readonly #call: Call;
  readonly #hold: MiddlewareHold;
  readonly #source: AsyncIterator<ChatChunk>;
  readonly #guard: ChunkGuard;
  readonly #ready: ChatChunk[] = [];
  readonly #stopWaiting: () => void;
  #turn: Promise<unknown> = Promise.resolve();
  #isReading = 0;
  #isOver = false;

  constructor(call: Call, hold: MiddlewareHold, input: { source: AsyncIterable<ChatChunk>; guard: ChunkGuard }) {
    this.#call = call;
    this.#hold = hold;
    this.#source = input.source[Symbol.asyncIterator]();
    this.#guard = input.guard;
    this.#stopWaiting = this.#endIdle();
    hold.isBusy = hold.outcome !== undefined;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  next(): Promise<Chunk> {
    const step = this.#turn.then(() => this.#read());
    this.#turn = step.catch(() => {});
    return step;
  }

  async return(): Promise<Chunk> {
    if (this.#isReading > 0)
      cancelCall(this.#call, new GatewayError("request_cancelled", "The caller stopped reading the stream."));
    await this.#turn;
    if (!this.#isOver) await this.#end();
    return over;
  }

  async #read(): Promise<Chunk> {
    if (this.#isOver && this.#ready.length === 0) return over;
    this.#hold.isBusy = true;
    this.#isReading++;
    try {
      while (this.#ready.length === 0 && !this.#isOver) await this.#pull();
    } catch (thrown) {
      throw await this.#fail(thrown);
    } finally {
      this.#isReading--;
      this.#hold.isBusy = this.#hold.outcome !== undefined && !this.#isOver;
    }
    const value = this.#ready.shift();
    return value ? { done: false, value } : over;
  }

  async #pull(): Promise<void> {
    const step = await this.#source.next();
    const chunks = step.done ? await this.#guard.end() : await this.#guard.read(step.value);
    this.#ready.push(...chunks);
    if (!step.done) return;
    this.#isOver = true;
    this.#stopWaiting();
    await releaseCall(this.#call);
  }

  /** A failure ends the source too; work that others share goes on, and the call is settled with it. */
  async #fail(thrown: unknown): Promise<GatewayError> {
    const call = this.#call;
    const known = toGatewayError(thrown);
    const error =
      known.eventId === call.id ? known : withDetails(known, { model: call.modelRequested, eventId: call.id });
    emitFailure(call, error);
    this.#hold.failure = error;
    await this.#end();
    return error;
  }

  async #end(): Promise<void> {
    this.#isOver = true;
    this.#ready.length = 0;
    this.#stopWaiting();
    this.#hold.isBusy = true;
    await this.#source.return?.();
    await releaseCall(this.#call);
  }

  /** Settles the call of a stream that is over and not read to its end. */
  #endIdle(): () => void {
    const call = this.#call;
    const { clock } = call.ports;
    const settle = () => {
      if (this.#isReading === 0) void releaseCall(call);
    };
    const interrupt: Interrupt = settle;
    const stopTimer = clock.after(Math.max(0, call.deadline - clock.now()), settle);
    onCancel(call, interrupt);
    return () => {
      stopTimer();
      offCancel(call, interrupt);
    };
  }
}
