import { agents, type Interface } from "./agents.ts";
import { type AgentName, packages } from "./packages.ts";
import type { Script, VendorName } from "./script.ts";

/** The names of all agents. */
export const agentNames = Object.keys(packages) as AgentName[]; // the literal's own keys

/** A tool loop: an agent, where it is pointed at, and the call that the model asks it for. */
export interface Case {
  readonly title: string;
  readonly agent: AgentName;
  readonly interface: Interface;
  readonly model: string;
  /** The vendor that signs its reasoning, where the agent hands that back. */
  readonly sealed?: VendorName;
  /** The model that answers the second turn, in which the first one's vendor is down. */
  readonly fallback?: string;
  readonly effort?: string;
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
    ...(model.startsWith("lab/") || face === "chat" ? {} : { sealed: model.split("/")[0] as VendorName }), // a literal of vendorCases
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

/** Codex sends its tools to the newest models in namespaces inside an item of the conversation, with one that takes a program. */
function orchestrated(model: string): Case {
  return {
    title: `codex over responses asks ${model}: a custom tool of a namespace`,
    agent: "codex",
    interface: "responses",
    model,
    tool: "functions__exec",
    argumentsOf: () => ({ input: `text(await tools.exec_command({ cmd: ${JSON.stringify(command)} }));` }),
    resultOf: (note) => note,
  };
}

/** Codex sends other tools to models that it knows: `apply_patch`, whose input has a grammar, and a search over its tools to gpt-5.5. */
const codexCases: readonly Case[] = [
  {
    title: "codex over responses asks lab/gpt-5.5: a custom tool",
    agent: "codex",
    interface: "responses",
    model: "lab/gpt-5.5",
    tool: "apply_patch",
    argumentsOf: (note) => ({ input: `*** Begin Patch\n*** Add File: copy.txt\n+${note}\n*** End Patch\n` }),
    resultOf: () => "A copy.txt",
  },
  orchestrated("lab/gpt-6.1-sol"),
];

const newest: Case = { ...orchestrated("openai/gpt-5.6-sol"), sealed: "openai", effort: "high" };

/** OpenAI's newest models, whose thoughts travel sealed; another vendor goes on where it breaks down behind the first turn. */
const newestCases: readonly Case[] = [
  newest,
  ...["anthropic/claude-sonnet-4-5", "gemini/gemini-3-flash-preview"].map((fallback) => {
    return { ...newest, title: `${newest.title}, and ${fallback} goes on`, fallback };
  }),
];

/** Every tool loop of the suites. */
export const cases: readonly Case[] = [...ownCases, ...vendorCases, ...codexCases, ...newestCases];
