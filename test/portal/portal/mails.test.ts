import type { AddressInfo } from "node:net";
import { SMTPServer } from "smtp-server";
import { describe, expect, it } from "vitest";
import { smtp } from "../../../adapters/messages/smtp.ts";
import { afterFile } from "../../after-file.ts";
import { openAlerting } from "../support/alerts/world.ts";
import { makePlaces } from "../support/places.ts";

interface SentMail {
  readonly to: readonly string[];
  readonly text: string;
}

/** A mail server on this machine with one login; it refuses recipients at `nowhere.example`. */
async function openMailServer() {
  const mails: SentMail[] = [];
  const server = new SMTPServer({
    ...{ disabledCommands: ["STARTTLS"], allowInsecureAuth: true, logger: false },
    onAuth: ({ username, password }, _session, done) =>
      username === "gate" && password === "p@ss" ? done(null, { user: username }) : done(new Error("wrong")),
    onRcptTo: ({ address }, _session, done) =>
      address.endsWith("@nowhere.example") ? done(new Error("no such mailbox secret-detail")) : done(),
    async onData(stream, session, done) {
      const parts: Buffer[] = [];
      for await (const part of stream) parts.push(part as Buffer);
      const to = session.envelope.rcptTo.map(({ address }) => address);
      mails.push({ to, text: Buffer.concat(parts).toString("utf8").replace(/=\r\n/g, "") });
      done();
    },
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", () => resolve()));
  afterFile(() => new Promise<void>((resolve) => server.close(() => resolve())));
  const port = (server.server.address() as AddressInfo).port;
  const sender = smtp({ url: `smtp://gate:p%40ss@127.0.0.1:${port}`, from: "Gateway <gateway@example.com>" });
  afterFile(() => sender.close());
  return { mails, sender, port };
}

describe("mails", () => {
  it("of a channel go to its addresses in its language; a refusal of the server shows none of its words", async () => {
    const { mails, sender } = await openMailServer();
    const { calls, clock } = await openAlerting({ mails: sender });
    const to = ["ada@example.com", "ben@example.com"];
    const channel = await calls.alerts.createChannel({ name: "Bereitschaft", kind: "mail", to, language: "de" });
    expect(channel.secret).toBeUndefined();
    expect(await calls.alerts.testChannel({ alert_channel_id: channel.id })).toEqual({ delivered: true });
    expect(mails).toHaveLength(1);
    expect(mails[0]?.to).toEqual(to);
    expect(mails[0]?.text).toContain("Ein Test des Alarmkanals `Bereitschaft`.");
    expect(mails[0]?.text).toContain("From: Gateway <gateway@example.com>");
    await calls.alerts.changeChannel({ alert_channel_id: channel.id, to: ["x@nowhere.example"] });
    await clock.advance(10_000);
    const failed = await calls.alerts.testChannel({ alert_channel_id: channel.id });
    expect(failed).toMatchObject({
      delivered: false,
      error: expect.stringMatching(/^upstream_error: The mail server refused/),
    });
  });

  it("tell a wrong password and a server that is not there apart", async () => {
    const { port } = await openMailServer();
    const mail = { to: ["ada@example.com"], subject: "s", text: "t" };
    const wrong = smtp({ url: `smtp://gate:wrong@127.0.0.1:${port}`, from: "g@example.com" });
    await expect(wrong.send(mail)).rejects.toMatchObject({ code: "upstream_error" });
    const missing = smtp({ url: "smtp://127.0.0.1:1", from: "g@example.com" });
    await expect(missing.send(mail)).rejects.toMatchObject({ code: "upstream_unreachable" });
    expect(() => smtp({ url: "http://127.0.0.1", from: "g@example.com" })).toThrow(/`url` of smtp must be/);
  });

  it("without settings, a mail channel is refused with the setting that is missing", async () => {
    const { calls } = await openAlerting({});
    const made = calls.alerts.createChannel({ name: "m", kind: "mail", to: ["ada@example.com"] });
    await expect(made).rejects.toMatchObject({
      code: "not_implemented",
      param: "mail",
      message: expect.stringContaining("`mail` with `url` and `from`"),
    });
  });

  it("carry invitations and reset links to the user, who can use them", async () => {
    const { mails, sender } = await openMailServer();
    const { portal, calls } = await openAlerting({ mails: sender, publicUrl: "https://ai.example.com/gateway" });
    await makePlaces(portal, { reseller: "acme", client_id: "c-1" });
    const user = await calls.users.create({ username: "ada", email: "ada@example.com", level: "client" });
    const invited = await calls.users.invite({ user_id: user.id });
    expect(invited.mailed).toBe(true);
    expect(mails[0]?.text).toContain("https://ai.example.com/gateway/console/#password");
    const nobody = await calls.users.create({ username: "eve", level: "client" });
    expect((await calls.users.resetPassword({ user_id: nobody.id })).mailed).toBe(false);
    expect((await calls.users.resetPassword({ user_id: user.id })).mailed).toBe(true);
    expect(mails).toHaveLength(2);
  });
});
