import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, symlinkSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { failure, ownFolder, read, readText, write } from "../support/config-folder.ts";

const json = "tollgate.config.json";

describe("a configuration file that an editor or a mount made", () => {
  it("may begin with a byte order mark and have the ends of lines of Windows", async () => {
    const { config } = await readText('\ufeff{\r\n"server":{"port":9}\r\n}\r\n', json);
    expect(config.server?.port).toBe(9);
  });

  it("is refused in another encoding than UTF-8, whose letters would be others", async () => {
    const message = `${json} is not UTF-8: save it in that encoding.`;
    for (const encoding of ["utf16le", "latin1"] as const) {
      write(json, Buffer.from('\ufeff{"keyPrefix":"ä"}', encoding));
      expect((await failure(read())).message).toBe(message);
    }
  });

  it("that is empty is told as that", async () => {
    const message = `${json} is empty; a configuration without settings is {}.`;
    expect((await failure(readText("\n", json))).message).toBe(message);
  });

  it("that is a link to a file that is gone is not left aside", async () => {
    symlinkSync("/nowhere/at/all.yaml", join(ownFolder(), "tollgate.config.yaml"));
    const message = "tollgate.config.yaml is a symbolic link to a file that is not there.";
    expect((await failure(read())).message).toBe(message);
    expect((await failure(read({}, "tollgate.config.yaml"))).message).toBe(message);
  });

  it("below something that is no folder says so, not that it is not there", async () => {
    write("notes.txt", "");
    expect((await failure(read({}, "notes.txt/a.yaml"))).message).toBe("notes.txt/a.yaml cannot be read: ENOTDIR.");
    mkdirSync(join(ownFolder(), "b.yaml"));
    expect((await failure(read({}, "b.yaml"))).message).toBe("b.yaml is a folder.");
  });

  it("that is no file is told as what it is: nobody waits for whoever might write into a pipe", async (context) => {
    if (process.platform === "win32") context.skip("there are no such files here");
    execFileSync("mkfifo", [join(ownFolder(), "pipe.json")]);
    symlinkSync("pipe.json", join(ownFolder(), "link.mjs"));
    symlinkSync("/dev/zero", join(ownFolder(), "zero.yaml"));
    const socket = createServer().listen(join(ownFolder(), "socket.yml"));
    await once(socket, "listening");
    for (const [name, kind] of [
      ["pipe.json", "a named pipe"],
      ["link.mjs", "a named pipe"],
      ["zero.yaml", "a device"],
      ["socket.yml", "a socket"],
    ] as const)
      expect((await failure(read({}, name))).message).toBe(`${name} is ${kind}: name a file.`);
    socket.close();
  });
});

describe("a configuration file that is a module", () => {
  it("and awaits what never comes is named when nothing else is left to do", async () => {
    write("never.mjs", "globalThis.awaited?.(); await new Promise(() => {}); export default {};");
    const begun = new Promise((resolve) => Object.assign(globalThis, { awaited: resolve }));
    const reading = failure(read({}, "never.mjs"));
    await begun;
    process.emit("beforeExit", 0);
    expect((await reading).message).toBe("never.mjs awaits something that never comes.");
    expect(process.listenerCount("beforeExit")).toBe(0);
  });
});

describe("nothing of a configuration file is lost in silence:", () => {
  it("a name that is there twice is refused, as in YAML", async () => {
    const twice = '{\n  "providers": { "groq": { "apiKey": "a" },\n    "groq": { "apiKey": "b" } }\n}';
    const place = "has a name a second time at line 3, column 5.";
    expect((await failure(readText(twice, json))).message).toBe(`${json} ${place}`);
    expect((await failure(readText(twice))).message).toBe(`tollgate.config.yaml ${place}`);
  });

  it("and only such a name: the same one may stand in several objects, in texts, and as a value", async () => {
    const texts = [
      '{"tiers":{"a":{"x":"a"},"b":{"x":"{\\"x\\":1,\\"x\\":2}"}}}',
      '{"tiers":{"x":{"x":{"x":["x","x",{"x":"\\\\"}]}}}}',
    ];
    for (const text of texts) expect((await readText(text, json)).config).toEqual(JSON.parse(text));
    const escaped = '{"server":{"port":9,"p\\u006frt":8}}';
    expect((await failure(readText(escaped, json))).message).toBe(
      `${json} has a name a second time at line 1, column 21.`,
    );
  });

  it("a second document of YAML is refused", async () => {
    const message = "tollgate.config.yaml begins a second document at line 2, column 1: one file is one document.";
    expect((await failure(readText("requireKey: false\n---\nrequireKey: true\n"))).message).toBe(message);
  });

  it("a variable as a shell writes it is refused, and not sent as a key", async () => {
    const { message, param } = await failure(readText("providers: { openai: { apiKey: '$" + "{OPENAI_API_KEY}' } }"));
    expect(param).toBe("providers.openai.apiKey");
    expect(message).toBe(
      "tollgate.config.yaml: `providers.openai.apiKey` is shell syntax for a variable; write `env:NAME`.",
    );
  });
});
