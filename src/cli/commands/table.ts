import type { Command } from "../command.ts";

/** Every command by its name, in the order of the help; only those that are needed are loaded. A new one is a file and a line here. */
export const commands: Readonly<Record<string, () => Promise<Command>>> = {
  serve: async () => (await import("./serve.ts")).serve,
  chat: async () => (await import("./chat.ts")).chat,
  models: async () => (await import("./models.ts")).models,
  plan: async () => (await import("./plan.ts")).plan,
  wall: async () => (await import("./wall.ts")).wall,
};
