/** What a person reads below the message that a budget is used up. */
export const KEPT = "the work so far is kept; resume the session with a larger budget to continue";
