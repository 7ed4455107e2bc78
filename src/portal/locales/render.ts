/** The parameters of a text by name. */
export type TextParams = Readonly<Record<string, string | number>>;

/**
 * Returns a text with its parameters filled in: `{name}` is the parameter, `{kind:name}` the text with the key `kind.<value>`, or the value
 * where there is no such text. A placeholder without a parameter stays as it is.
 */
export function renderText(template: string, params: TextParams, texts: ReadonlyMap<string, string>): string {
  return template.replace(/\{(?:(\w+):)?(\w+)\}/g, (placeholder, prefix: string | undefined, name: string) => {
    const value = Object.hasOwn(params, name) ? String(params[name]) : undefined;
    if (value === undefined) return placeholder;
    return (prefix === undefined ? undefined : texts.get(`${prefix}.${value}`)) ?? value;
  });
}
