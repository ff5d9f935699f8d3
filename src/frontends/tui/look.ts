import { ASK_BACKGROUND, isLightBackground } from "./theme-options.ts";
import { makeTheme, type Theme, type ThemeOptions } from "./view/theme.ts";

type LookOwner = { changed(): void /** Writes a question to the terminal. */; ask(sequence: string): void };

/** The colours in use: what the user chose, else what the terminal tells of its background. */
export class Look {
  readonly options: ThemeOptions;
  theme: Theme;
  readonly #owner: LookOwner;
  #isChosen = false;

  constructor(options: ThemeOptions, owner: LookOwner) {
    this.options = options;
    this.#owner = owner;
    this.theme = makeTheme(options);
  }

  /** `name` is `light`, `dark` or anything else for what the terminal says. */
  choose(name: string | undefined): void {
    this.#isChosen = name === "light" || name === "dark";
    if (this.#isChosen) this.setLight(name === "light");
    else if (this.options.level > 0) this.#owner.ask(ASK_BACKGROUND);
  }

  /** The terminal has told something about itself. */
  hear(reply: string): void {
    const isLight = isLightBackground(reply);
    if (isLight !== undefined && !this.#isChosen) this.setLight(isLight);
  }

  setLight(isLight: boolean): void {
    this.theme = makeTheme({ ...this.options, isLight });
    this.#owner.changed();
  }
}
