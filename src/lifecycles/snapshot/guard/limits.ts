/** Limits of the webhook of the guards. */

/** Milliseconds for one request to the API server, which waits for the webhook meanwhile. */
export const CALL_MS = 3_000;
/** Milliseconds between two looks at a window: the application is frozen longer by half of it on average. */
export const POLL_MS = 50;
/** The same where the cache of the process shows each change: only for a watch that is broken. */
export const POLL_WITH_CACHE_MS = 500;
/** Attempts to record an object that was not frozen, while others change the window. */
export const RECORD_TRIES = 5;
