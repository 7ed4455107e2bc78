// LangChain.js over an engine in the same process, without a socket and without a key: node examples/langchain.ts
// Beside tollgate it needs @langchain/core and @langchain/openai.
import type { AIMessageChunk } from "@langchain/core/messages";
import { StringOutputParser } from "@langchain/core/output_parsers";
import { ChatPromptTemplate } from "@langchain/core/prompts";
import { tool } from "@langchain/core/tools";
import { ChatOpenAI } from "@langchain/openai";
import { createEngine } from "tollgate";
import { local } from "tollgate/providers/local";

const engine = createEngine({ providers: [local()] }); // or openai({ apiKey }), anthropic({ apiKey }), …
const model = new ChatOpenAI({
  model: "local/echo",
  apiKey: "unused", // or a virtual key
  configuration: { baseURL: "http://engine/openai/v1", fetch: engine.fetch as typeof fetch },
});

// A chain: prompt → model → text, whole and piece by piece.
const prompt = ChatPromptTemplate.fromMessages([
  ["system", "You are brief."],
  ["user", "Tell me about {subject}"],
]);
const chain = prompt.pipe(model).pipe(new StringOutputParser());
console.log("whole:", await chain.invoke({ subject: "tolls" }));
const pieces: string[] = [];
for await (const piece of await chain.stream({ subject: "gates" })) pieces.push(piece);
console.log(`streamed in ${pieces.length} pieces:`, pieces.join(""));

// A tool that the model must call; its arguments come parsed.
const weather = tool(async ({ city }) => `${city}: 21 degrees`, {
  name: "weather",
  description: "Weather of a city",
  schema: {
    type: "object",
    properties: { city: { type: "string" } },
    required: ["city"],
  } as const,
});
const answer: AIMessageChunk = await model.bindTools([weather], { tool_choice: "weather" }).invoke("In Rome?");
const [call] = answer.tool_calls ?? [];
console.log("tool:", call?.name, Object.keys(call?.args ?? {}).join());
const usage: { total_tokens?: number } = answer.usage_metadata ?? {};
console.log("tokens:", usage.total_tokens);

// An answer in the form of a schema.
const structured = model.withStructuredOutput(
  {
    title: "answer",
    type: "object",
    properties: { title: { type: "string" }, count: { type: "integer" } },
    required: ["title", "count"],
    additionalProperties: false,
  },
  { method: "jsonSchema", strict: true },
);
console.log("structured:", Object.keys(await structured.invoke("Sum it up")).join());
await engine.close();
