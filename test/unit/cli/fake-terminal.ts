import type { Environment, Probe, Terminal } from "../../../src/cli/terminal/terminal.ts";

/** A terminal that remembers what was written, and is typed at by the test. */
export interface FakeTerminal extends Terminal {
  readonly written: { out: string; err: string };
  send(signal: "SIGINT" | "SIGTERM"): void;
  /** How many still listen to signals. */
  listening(): number;
}

/** What a fake terminal is like; nobody types and nobody looks unless told. */
export interface FakeTerminalOptions {
  readonly env?: Environment;
  readonly folder?: string;
  readonly input?: string;
  /** Lines that somebody types; given, the terminal is interactive. */
  readonly lines?: readonly string[];
  readonly isSeen?: boolean;
  readonly now?: () => number;
  /** What runs on this machine; nothing unless told. */
  readonly probe?: Probe;
  /** Called with everything that is written to stdout. */
  readonly onOut?: (text: string) => void;
}

export function fakeTerminal(options: FakeTerminalOptions = {}): FakeTerminal {
  const {
    env = {},
    folder = "/nowhere",
    input = "",
    lines,
    isSeen = lines !== undefined,
    now = () => 0,
    onOut,
    probe = async () => undefined,
  } = options;
  const written = { out: "", err: "" };
  const listeners = new Set<(signal: "SIGINT" | "SIGTERM") => void>();
  const typed = [...(lines ?? [])];
  return {
    env,
    folder,
    written,
    out(text) {
      written.out += text;
      onOut?.(text);
    },
    err(text) {
      written.err += text;
    },
    isInteractive: lines !== undefined,
    isOutputTty: isSeen,
    isErrorTty: isSeen,
    readInput: async () => input,
    readLine: async () => typed.shift(),
    onSignal(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    send(signal) {
      for (const listener of [...listeners]) listener(signal);
    },
    listening: () => listeners.size,
    onLostOutput() {},
    now,
    probe,
  };
}
