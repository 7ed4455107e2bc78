// Settings for `tollgate serve` in TypeScript: npx tollgate serve --config examples/tollgate.config.ts
// Providers may be objects, so a provider of your own fits in beside the others.
import { defineProvider, type GatewayConfig } from "tollgate";
import { custom } from "tollgate/providers/compatible";
import { local } from "tollgate/providers/local";

/** A provider of one's own: a name, and the verbs that it can do. */
const clock = defineProvider({
  name: "clock",
  async chat(_request, { id, model, startedAt }) {
    const content = `It is ${new Date(startedAt).toISOString()}.`;
    return {
      id,
      object: "chat.completion",
      created: Math.floor(startedAt / 1_000),
      model,
      choices: [{ index: 0, finish_reason: "stop", message: { role: "assistant", content } }],
    };
  },
  listModels: async () => [{ id: "utc" }],
});

export default {
  server: { port: 8080, host: "127.0.0.1", cors: ["https://app.example"] },
  timeouts: { firstContent: 20_000 },
  logLevel: "info",
  providers: [clock, local({ pauseMs: 30 }), custom("lab", { baseUrl: "http://127.0.0.1:9000/v1", embeds: false })],
} satisfies GatewayConfig;
