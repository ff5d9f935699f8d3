/** What the program calls itself. A test compares the version with package.json. */
export const NAME = "interpreter";
export const VERSION = "0.1.0";

/** First argument that makes the executable apply a patch, for where it can't be called by another name. */
export const RUN_AS_APPLY_PATCH = "--run-as-apply-patch";
