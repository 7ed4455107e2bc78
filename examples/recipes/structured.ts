import type { Engine } from "tollgate";
import { z } from "zod";

const Invoice = z.object({
  number: z.string(),
  total: z.number().nonnegative(),
  currency: z.enum(["EUR", "USD"]),
});

/** Reads an invoice. A value that does not fit the schema goes back to the model once, with what is wrong with it. */
export async function readInvoice(engine: Engine, text: string): Promise<z.infer<typeof Invoice>> {
  const { object } = await engine.object({
    model: "openai/gpt-5-mini",
    fallbacks: ["anthropic/claude-haiku-4-5"],
    messages: [
      { role: "system", content: "Extract the invoice." },
      { role: "user", content: text },
    ],
    schema: Invoice,
  });
  return object;
}
