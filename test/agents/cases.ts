import { agents, type Interface } from "./agents.ts";
import { type AgentName, packages } from "./packages.ts";
import type { Script } from "./script.ts";

/** The names of all agents. */
export const agentNames = Object.keys(packages) as AgentName[]; // the literal's own keys

/** A tool loop: an agent, where it is pointed at, and the call that the model asks it for. */
export interface Case {
  readonly title: string;
  readonly agent: AgentName;
  readonly interface: Interface;
  readonly model: string;
  /** True where the vendor signs its reasoning and the agent hands that back. */
  readonly isSealed: boolean;
  readonly tool: string;
  /** Arguments that have the agent write `note` into `copy.txt`. */
  readonly argumentsOf: (note: string) => Script["arguments"];
  /** What the tool says when it has done that. */
  readonly resultOf: (note: string) => string;
}

/**
 * The result shows that the command ran: the note is in the file, not in the command. qwen-code loses what a command writes right before
 * it ends.
 */
const command = "cp note.txt copy.txt && cat copy.txt && sleep 0.5";

function commandCase(name: AgentName, face: Interface, model: string): Case {
  const agent = agents[name];
  return {
    title: `${name} over ${face} asks ${model}: a shell command`,
    agent: name,
    interface: face,
    model,
    isSealed: !model.startsWith("lab/") && face !== "chat",
    tool: agent.tool,
    argumentsOf: () => agent.argumentsOf(command),
    resultOf: (note) => note,
  };
}

/** Every agent with each interface that it speaks. */
const ownCases = agentNames.flatMap((name) => {
  return agents[name].interfaces.map((face) => commandCase(name, face, "lab/m"));
});

/** Vendors with interfaces of their own, asked in their own interface and in another one. */
const vendorCases: readonly Case[] = [
  commandCase("claude-code", "anthropic", "anthropic/claude-sonnet-4-5"),
  commandCase("claude-code", "anthropic", "gemini/gemini-2.5-flash"),
  commandCase("gemini-cli", "genai", "gemini/gemini-2.5-flash"),
  commandCase("gemini-cli", "genai", "anthropic/claude-sonnet-4-5"),
  commandCase("codex", "responses", "anthropic/claude-sonnet-4-5"),
  commandCase("codex", "responses", "gemini/gemini-2.5-flash"),
  commandCase("pi", "chat", "anthropic/claude-sonnet-4-5"),
];

/**
 * Codex sends other tools to models that it knows: `apply_patch`, whose input has a grammar, and a search over its tools to gpt-5.5;
 * to gpt-6 namespaces inside an item of the conversation, with one tool that takes a program.
 */
const codexCases: readonly Case[] = [
  {
    title: "codex over responses asks lab/gpt-5.5: a custom tool",
    agent: "codex",
    interface: "responses",
    model: "lab/gpt-5.5",
    isSealed: false,
    tool: "apply_patch",
    argumentsOf: (note) => ({ input: `*** Begin Patch\n*** Add File: copy.txt\n+${note}\n*** End Patch\n` }),
    resultOf: () => "A copy.txt",
  },
  {
    title: "codex over responses asks lab/gpt-6.1-sol: a custom tool of a namespace",
    agent: "codex",
    interface: "responses",
    model: "lab/gpt-6.1-sol",
    isSealed: false,
    tool: "functions__exec",
    argumentsOf: () => ({ input: `text(await tools.exec_command({ cmd: ${JSON.stringify(command)} }));` }),
    resultOf: (note) => note,
  },
];

/** Every tool loop of the suites. */
export const cases: readonly Case[] = [...ownCases, ...vendorCases, ...codexCases];
