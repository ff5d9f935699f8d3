/** A file that is larger is neither read whole nor changed: it would have to be in memory several times. */
export const MAX_FILE_BYTES = 64 * 1024 * 1024;
