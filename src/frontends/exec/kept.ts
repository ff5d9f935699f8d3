/** What a person reads below the message that a budget is used up. */
export const KEPT = "what was done so far stays; resume the session with a larger budget to go on";
