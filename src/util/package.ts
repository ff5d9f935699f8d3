/** What the program calls itself. A test compares the version with package.json. */
export const NAME = "interpreter";
export const VERSION = "0.1.0";
