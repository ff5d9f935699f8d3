import { uuidV7 } from "../../util/ids.ts";

/** One message or thought on its way to the client: each character goes once, also when a torn answer begins again. */
export class StreamedText {
  readonly #send: (text: string, messageId: string) => void;
  #messageId = uuidV7();
  #sent = "";
  #text = "";

  constructor(send: (text: string, messageId: string) => void) {
    this.#send = send;
  }

  add(delta: string): void {
    this.#text += delta;
    this.#catchUp();
  }

  /** The answer was cut and is asked for again: what comes now stands in the place of what came. */
  restart(): void {
    this.#text = "";
  }

  /** The whole text, which may never have come in pieces. */
  finish(text: string): void {
    if (!text.startsWith(this.#sent)) return;
    this.#text = text;
    this.#catchUp();
  }

  #catchUp(): void {
    if (this.#sent.startsWith(this.#text)) return;
    if (this.#text.startsWith(this.#sent)) {
      this.#send(this.#text.slice(this.#sent.length), this.#messageId);
    } else {
      // What is shown can't be taken back: another answer is another message.
      this.#messageId = uuidV7();
      this.#send(`\n\n${this.#text}`, this.#messageId);
    }
    this.#sent = this.#text;
  }
}
