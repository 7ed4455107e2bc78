/** A program as the npm registry has it. */
export interface AgentPackage {
  readonly name: string;
  /** The exact version that the suites run. */
  readonly version: string;
  /** The program, below `node_modules`. */
  readonly program: string;
  /** True for a binary; every other program runs on the Node of the tests. */
  readonly isNative?: boolean;
  /** An install script that the program needs, below `node_modules`. */
  readonly setup?: string;
}

/** The packages of the coding agents. */
export const packages = {
  codex: { name: "@openai/codex", version: "0.169.0", program: "@openai/codex/bin/codex.js" },
  "claude-code": {
    name: "@anthropic-ai/claude-code",
    version: "2.1.332",
    program: "@anthropic-ai/claude-code/cli-wrapper.cjs",
  },
  opencode: {
    name: "opencode-ai",
    version: "1.18.33",
    program: "opencode-ai/bin/opencode.exe",
    isNative: true,
    setup: "opencode-ai/postinstall.mjs",
  },
  "gemini-cli": { name: "@google/gemini-cli", version: "0.61.0", program: ".bin/gemini" },
  "qwen-code": { name: "@qwen-code/qwen-code", version: "0.24.4", program: ".bin/qwen" },
  pi: { name: "@earendil-works/pi-coding-agent", version: "1.3.0", program: ".bin/pi" },
} as const satisfies Readonly<Record<string, AgentPackage>>;

/** Servers, clients and checks of the Model Context Protocol. */
export const mcpPackages = {
  everything: {
    name: "@modelcontextprotocol/server-everything",
    version: "2026.8.31",
    program: "@modelcontextprotocol/server-everything/dist/index.js",
  },
  filesystem: {
    name: "@modelcontextprotocol/server-filesystem",
    version: "2026.8.31",
    program: "@modelcontextprotocol/server-filesystem/dist/index.js",
  },
  inspector: {
    name: "@modelcontextprotocol/inspector",
    version: "2.12.0",
    program: "@modelcontextprotocol/inspector/clients/cli/build/index.js",
  },
  conformance: {
    name: "@modelcontextprotocol/conformance",
    version: "0.1.16",
    program: "@modelcontextprotocol/conformance/dist/index.js",
  },
} as const satisfies Readonly<Record<string, AgentPackage>>;

/** The name of a coding agent. */
export type AgentName = keyof typeof packages;
