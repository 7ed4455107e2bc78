import { rmSync, writeFileSync } from "node:fs";
import { isAbsolute, join } from "node:path";
import type { Records } from "../engine/ports/records.ts";
import { type Engine, systemClock } from "../http/create-engine.ts";
import type { Portal } from "../portal/index.ts";
import { createLease } from "../portal/locks/lease.ts";
import { isLoopback } from "./network/loopback.ts";
import type { Terminal } from "./terminal/terminal.ts";

/** Keys by function. */
type FirstKeyStore = Pick<Engine["keys"], "list" | "create">;

/**
 * Creates a key that allows all models if the store has no keys. Resolves with its value, which is not stored, or with `undefined` if
 * keys exist. If several gateways start at once, only one creates it.
 */
export async function makeFirstKey(keys: FirstKeyStore, records: Records): Promise<string | undefined> {
  if (await isThereOne(keys)) return undefined;
  const turn = createLease({ records, clock: systemClock }, "first key");
  return turn(async () => {
    if (await isThereOne(keys)) return undefined;
    const everything = [{ provider: "*", allowed_models: ["*"] }];
    const { value } = await keys.create({ name: "first", provider_configs: everything });
    return value;
  });
}

async function isThereOne(keys: FirstKeyStore): Promise<boolean> {
  return (await keys.list({ limit: 1 })).items.length > 0;
}

/** Where the console is served, and how a start hands over its link. */
export interface LinkPlace {
  readonly host: string;
  /** The address of the gateway as this machine reaches it. */
  readonly address: string;
  /** True where this start has made the first user. */
  readonly isFirst: boolean;
  readonly terminal: FirstTerminal;
}

/**
 * Returns a link that signs this machine in to the console once. At a terminal every start has one, since a user who can start a gateway on the
 * store can make itself a token; elsewhere only the first start does. Undefined where another machine's address is listened on, or where
 * the first user has another way in.
 */
export async function makeSignInLink(
  { issueSignInCode }: Pick<Portal, "issueSignInCode">,
  { host, address, isFirst, terminal }: LinkPlace,
): Promise<string | undefined> {
  const isReachable = isLoopback(host) || host === "0.0.0.0" || host === "::";
  if (!isReachable || !(isFirst || isAtTerminal(terminal))) return undefined;
  const made = await issueSignInCode();
  return made && `${address}/console/#sign-in=${made.code}`;
}

/**
 * Holds back signals, so that values that are printed only once are printed before the process ends. The returned function releases them
 * and returns the signal that arrived.
 */
export function holdSignal({ onSignal }: Pick<Terminal, "onSignal">): () => Signal | undefined {
  let came: Signal | undefined;
  const forget = onSignal((signal) => {
    came = signal;
  });
  return () => {
    forget();
    return came;
  };
}

type Signal = Parameters<Parameters<Terminal["onSignal"]>[0]>[0];

/** Where a value of the first start is: on the screen, or in a file that its owner alone may read. */
export type FirstValue =
  | { readonly kind: "shown"; readonly value: string }
  | { readonly kind: "written"; readonly file: string }
  /** The value is lost; `problem` is the code of the system's error, `EACCES`. */
  | { readonly kind: "lost"; readonly file: string; readonly problem: string };

/** What a start passes on; the name of its file ends with it. */
export type FirstName = "first-key" | "first-token" | "first-link";

/** The terminal of a start. */
type FirstTerminal = Pick<Terminal, "folder" | "isOutputTty" | "isErrorTty">;

/** True where a person reads what is printed, and no file or collector does. */
function isAtTerminal({ isOutputTty, isErrorTty }: Pick<FirstTerminal, "isOutputTty" | "isErrorTty">): boolean {
  return isOutputTty && isErrorTty;
}

/**
 * Passes on a value of the first start. Somebody at a terminal is shown it once; where the output goes elsewhere, to a log or a
 * collector, it is written to `<store>.<name>`, mode 0600, in the working folder where the store is a database.
 */
export function passOnFirst(
  { folder, isOutputTty, isErrorTty }: FirstTerminal,
  name: FirstName,
  { value, storeFile = "tollgate" }: { readonly value: string; readonly storeFile: string | undefined },
): FirstValue {
  if (isAtTerminal({ isOutputTty, isErrorTty })) return { kind: "shown", value };
  const file = `${storeFile}.${name}`;
  const path = isAbsolute(file) ? file : join(folder, file);
  try {
    rmSync(path, { force: true }); // of a store that was removed; a link that stands there is not followed
    writeFileSync(path, `${value}\n`, { mode: 0o600, flag: "wx" });
    return { kind: "written", file };
  } catch (thrown) {
    const { code = "unknown" } = thrown as NodeJS.ErrnoException; // seam: what node:fs throws
    return { kind: "lost", file, problem: code };
  }
}
