/** A request as a vendor saw it. */
interface Seen {
  readonly url: string;
  readonly headers: Headers;
  readonly body: Record<string, unknown>;
}

/** A vendor by path: what it answers, and what it saw. */
export function vendorDouble(answer: (seen: Seen) => unknown) {
  const seen: Seen[] = [];
  const fetch = async (input: string | URL | Request, init: RequestInit = {}) => {
    const body = JSON.parse(await new Response(init.body ?? null).text());
    const each = { url: String(input), headers: new Headers(init.headers), body };
    seen.push(each);
    const said = answer(each);
    return said instanceof Response ? said : Response.json(said);
  };
  return { seen, options: { apiKey: "key-of-tests", fetch } };
}
