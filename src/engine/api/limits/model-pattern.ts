/** The characters of a pattern of models, without a schema: the command line checks patterns before it loads any. */
export const modelPattern = { most: 256, form: /^(?:\*|[^*\s]+(?:\/\*)?)$/ } as const;

/** True for a model by its name (`gpt-5`, `openai/gpt-5`), all models below a name (`openai/*`), or all (`*`). */
export function isModelPattern(text: string): boolean {
  return text.length <= modelPattern.most && modelPattern.form.test(text);
}
