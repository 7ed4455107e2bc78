/** What a command sees of the world it was started in. */
export interface Terminal {
  readonly env: Environment;
  /** The working folder, absolute. */
  readonly folder: string;
  /** Writes an answer. */
  out(text: string): void;
  /** Writes what is said about it: errors, progress, usage. */
  err(text: string): void;
  /** True when somebody types and reads: both ends are a terminal. */
  readonly isInteractive: boolean;
  /** True when answers go to a terminal. */
  readonly isSeen: boolean;
  /** Everything that is piped in, to its end. */
  readInput(): Promise<string>;
  /** Asks for a line; `undefined` at the end of the input. Only where the terminal is interactive. */
  readLine(prompt: string): Promise<string | undefined>;
  /** Calls `listener` for every SIGINT and SIGTERM from now on; the returned function stops that. */
  onSignal(listener: (signal: "SIGINT" | "SIGTERM") => void): () => void;
  /**
   * From now on answers that cannot be written are let go of, and `listener` is told why, once; before, that ends the process. Each is
   * tried, so they go on where the cause does not last.
   */
  onLostOutput(listener: (reason: string) => void): void;
  /** Milliseconds since the epoch. */
  now(): number;
  /** Finds out what runs on this machine. */
  readonly probe: Probe;
}

/** Asks a URL for JSON; resolves with `undefined` when nothing usable comes in time. Sends no credential. */
export type Probe = (url: string) => Promise<unknown>;

/** Variables by name, as `process.env` holds them. */
export type Environment = Readonly<Record<string, string | undefined>>;
