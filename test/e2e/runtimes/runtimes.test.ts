import { execFile } from "node:child_process";
import { copyFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { findProgram } from "../../../scripts/fetched.ts";
import type { Upstream } from "../../../src/testing/conformance/provider/upstream.ts";
import { installTarball, type Project } from "../packed.ts";
import { credential, startVendor } from "./vendor.ts";

/** A runtime, and what differs there. */
interface Runtime {
  readonly name: string;
  /** The platforms that its npm package has a program for. */
  readonly platforms?: readonly string[];
  find(): string;
  readonly options: readonly string[];
  readonly words?: Readonly<Record<string, unknown>>;
  /** What the runtime itself prints to stderr. */
  readonly prints?: string;
}

const platforms = ["linux-x64", "linux-arm64", "darwin-x64", "darwin-arm64"];

const runtimes: readonly Runtime[] = [
  { name: "Node", find: () => process.execPath, options: [] },
  { name: "Deno", platforms, find: () => findProgram("deno", "2.9.6"), options: ["run", "--allow-all"] },
  {
    ...{ name: "Bun", platforms, find: () => findProgram("bun", "1.4.5"), options: ["run"] },
    words: {
      "a stream whose connection breaks": [
        "hello",
        "upstream_stream_broken: The stream of openai broke off: ECONNRESET.",
      ],
      "a whole answer that is cut": "upstream_unreachable: The answer of openai broke off: ECONNRESET.",
      "an answer that cannot be decompressed": unreadable("ZlibError"),
      "settings of the network": needsUndici("network"),
      webhooks: needsUndici("webhook"),
    },
    prints: "Decompression error: ZlibError\n",
  },
];

function unreadable(code: string): string {
  return `upstream_invalid_response: The answer of openai cannot be read: ${code}.`;
}

function needsUndici(of: string): string {
  const reason = "needs the package undici, in whose place this runtime (Bun) loads a module of its own";
  return `invalid_configuration: \`${of}\` ${reason}.`;
}

const cancelled = "request_cancelled: The caller cancelled the request.";

/** What comes of each check, on Node and wherever a runtime has no words of its own. */
const outcomes: Readonly<Record<string, unknown>> = {
  "a whole answer": ["hello you", 5],
  "a stream": ["hello", " you"],
  "a compressed answer": ["hello you", 5],
  "a stream that ends early": ["hello", "upstream_stream_broken: The stream of openai ended before it was complete."],
  "a stream whose connection breaks": [
    "hello",
    "upstream_stream_broken: The stream of openai broke off: UND_ERR_SOCKET.",
  ],
  "a whole answer that is cut": "upstream_unreachable: The answer of openai broke off: UND_ERR_SOCKET.",
  "an answer that cannot be decompressed": unreadable("Z_DATA_ERROR"),
  "a refused credential":
    "upstream_credentials_exhausted: Every credential of openai was refused, the last one with 401.",
  "no server": "upstream_unreachable: Cannot reach openai: ECONNREFUSED.",
  "a deadline": "upstream_timeout: The request did not finish within 150 ms.",
  "an aborted call": cancelled,
  "an aborted stream": `hello,${cancelled}`,
  "a stream that its reader leaves": true,
  "a spent budget, in memory": expect.stringMatching(/^budget_exceeded: /),
  "an answer from the cache": true,
  "over HTTP": [200, "hello you"],
  "a stream over HTTP": ["hello", " you", "[DONE]"],
  "a stream over HTTP that ends early": ["upstream_stream_broken", false, false],
  "a caller over HTTP that hangs up": true,
  "the Fetch handler": [200, true],
  "a ledger in SQLite, opened again": [[200, 3]],
  "settings of the network": "done",
  webhooks: "done",
};

let project: Project;
let vendor: Upstream;

beforeAll(async () => {
  project = installTarball();
  copyFileSync(fileURLToPath(new URL("program.ts", import.meta.url)), join(project.folder, "program.ts"));
  vendor = await startVendor();
});
afterAll(async () => {
  await vendor.close();
  project.remove();
});

/** Runs the program in the installed project; what it printed. */
async function run(executable: string, options: readonly string[]) {
  const { FORCE_COLOR, NO_COLOR, NODE_OPTIONS, ...environment } = process.env;
  return promisify(execFile)(executable, [...options, "program.ts"], {
    cwd: project.folder,
    env: { ...environment, VENDOR: vendor.url, CREDENTIAL: credential },
    timeout: 60_000,
  });
}

describe.each(runtimes)("the packed tarball on $name", ({ name, platforms, find, options, words, prints = "" }) => {
  const platform = `${process.platform}-${process.arch}`;
  const isThere = platforms?.includes(platform) ?? true;
  let printed: { readonly stdout: string; readonly stderr: string };

  beforeAll(async () => {
    if (isThere) printed = await run(find(), options);
  });

  const expected = Object.entries({ ...outcomes, ...words }).map(([check, outcome]) => ({ check, outcome }));
  it.for(expected)("gets what it should from $check", ({ check, outcome }, context) => {
    if (!isThere) context.skip(`${name} has no npm package for ${platform}`);
    expect(JSON.parse(printed.stdout)).toHaveProperty([check], outcome);
  });

  it("ends by itself, and says nothing else, least of all the credential", (context) => {
    if (!isThere) context.skip(`${name} has no npm package for ${platform}`);
    expect(printed.stderr).toBe(prints);
    expect(printed.stdout).not.toContain(credential);
    expect(Object.keys(JSON.parse(printed.stdout))).toEqual(Object.keys(outcomes));
  });
});
