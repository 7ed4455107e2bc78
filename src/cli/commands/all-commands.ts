import type { Command, CommandGroup } from "../program/command.ts";

/** Every command by its name, in the order of the help; only those that are needed are loaded. A new one is a file and a line here. */
export const commands: Readonly<Record<string, () => Promise<Command | CommandGroup>>> = {
  serve: async () => (await import("./serve.ts")).serve,
  reload: async () => (await import("./reload.ts")).reload,
  chat: async () => (await import("./chat.ts")).chat,
  models: async () => (await import("./models.ts")).models,
  decide: async () => (await import("../decide/group.ts")).decide,
  mcp: async () => (await import("../mcp/group.ts")).mcp,
  guard: async () => (await import("../guards/group.ts")).guard,
  plan: async () => (await import("./plan.ts")).plan,
  key: async () => (await import("./key.ts")).key,
  project: async () => (await import("./owners.ts")).project,
  customer: async () => (await import("./owners.ts")).customer,
  token: async () => (await import("./token.ts")).token,
  secret: async () => (await import("./secret.ts")).secret,
  portal: async () => (await import("./portal.ts")).portal,
  demo: async () => (await import("./demo.ts")).demo,
  usage: async () => (await import("./usage.ts")).usage,
  ledger: async () => (await import("../ledger/group.ts")).ledger,
  cache: async () => (await import("./cache.ts")).cache,
  price: async () => (await import("./price.ts")).price,
  import: async () => (await import("../import/group.ts")).importing,
  "fault-test": async () => (await import("./fault-test.ts")).faultTest,
};

/** Former names of commands, which go on working; the help does not list them. */
export const aliases: Readonly<Record<string, string>> = { wall: "fault-test" };
