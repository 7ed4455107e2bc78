import type { ProcessFacts } from "../../portal/process-facts.ts";

/** What a command sees of the world it was started in. */
export interface Terminal {
  readonly env: Environment;
  /** The working folder, absolute. */
  readonly folder: string;
  /** Writes an answer. */
  out(text: string): void;
  /** Writes errors, progress and usage to stderr. */
  err(text: string): void;
  /** True when somebody types and reads: both ends are a terminal. */
  readonly isInteractive: boolean;
  /** True when answers go to a terminal. */
  readonly isOutputTty: boolean;
  /** True when errors and notices go to a terminal. */
  readonly isErrorTty: boolean;
  /** Everything that is piped in, to its end. */
  readInput(): Promise<string>;
  /** Prompts for a line; resolves with `undefined` at the end of the input. Requires an interactive terminal. */
  readLine(prompt: string): Promise<string | undefined>;
  /** Calls `listener` for every SIGINT and SIGTERM from now on; the returned function stops that. */
  onSignal(listener: (signal: "SIGINT" | "SIGTERM") => void): () => void;
  /** Calls `listener` for every SIGHUP from now on, which ends the process otherwise; the returned function stops that. */
  onReload(listener: () => void): () => void;
  /** Sends SIGHUP to another process; false where there is none of that number, or one of somebody else. */
  requestReload(pid: number): boolean;
  /** The number of this process. */
  readonly pid: number;
  /** What else this process is. */
  readonly processFacts: () => ProcessFacts;
  /**
   * From now on, output that cannot be written is dropped and `listener` receives the reason once; until then a write error ends the
   * process. Every write is still tried, so output resumes when the cause is gone.
   */
  onLostOutput(listener: (reason: string) => void): void;
  /** Milliseconds since the epoch. */
  now(): number;
  /** Finds out what runs on this machine. */
  readonly probe: Probe;
}

/** Fetches JSON from a URL without credentials. Resolves with `undefined` if no usable answer arrives in time. */
export type Probe = (url: string) => Promise<unknown>;

/** Variables by name, as `process.env` holds them. */
export type Environment = Readonly<Record<string, string | undefined>>;
