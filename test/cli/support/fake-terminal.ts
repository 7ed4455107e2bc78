import type { Environment, Probe, Terminal } from "../../../src/server/terminal/terminal.ts";

/** A terminal that remembers what was written, and is typed at by the test. */
export interface FakeTerminal extends Terminal {
  readonly written: { out: string; err: string };
  send(signal: "SIGINT" | "SIGTERM" | "SIGHUP"): void;
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
  const reloads = new Set<() => void>();
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
      if (signal === "SIGHUP") for (const listener of [...reloads]) listener();
      else for (const listener of [...listeners]) listener(signal);
    },
    onReload(listener) {
      reloads.add(listener);
      return () => void reloads.delete(listener);
    },
    requestReload: () => false,
    pid: 4_711,
    processFacts: () => ({
      pid: 4_711,
      node: "v22.13.0",
      started_at: 0,
      memory: { rss: 3, heap_used: 1, heap_total: 2 },
    }),
    listening: () => listeners.size,
    onLostOutput() {},
    now,
    probe,
  };
}
