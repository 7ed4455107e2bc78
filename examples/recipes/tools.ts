import type { Engine } from "tollgate";
import { z } from "zod";

const Place = z.object({ city: z.string() });

/** Answers a question with a tool: the engine asks the model, runs what it calls, and asks again until it answers. */
export async function askWithTools(engine: Engine, question: string) {
  const run = await engine.runTools(
    {
      model: "openai/gpt-5-mini",
      messages: [{ role: "user", content: question }],
      tools: [
        {
          name: "weather",
          description: "The temperature in a city, in degrees Celsius",
          parameters: z.toJSONSchema(Place),
          run: (provided) => readWeather(Place.parse(provided)), // the model reads what this throws, and may try again
        },
      ],
    },
    { maxTurns: 5, maxCost: 0.05, approve: ({ name }) => name === "weather" },
  );
  return { text: run.turns.at(-1)?.text, ended: run.ended, cost: run.cost };
}

function readWeather({ city }: { readonly city: string }) {
  if (city !== "Rome") throw new Error(`There is no city ${city}.`);
  return { degrees: 21 };
}
