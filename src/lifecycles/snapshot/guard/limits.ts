/** Limits of the webhook of the guards. */

/**
 * Milliseconds for one read, or for one record of an admission. Meanwhile the server waits for the webhook. The
 * creation of a window has the limit of the client, since the server calls other webhooks for it.
 */
export const CALL_MS = 3_000;
/** Milliseconds between two reads of a window. On average half of it is added to the freeze of the application. */
export const POLL_MS = 50;
/**
 * Milliseconds between two reads if this process has a cache that shows each change. It matters only if the watch is
 * broken.
 */
export const POLL_WITH_CACHE_MS = 500;
/** Attempts to record an object that was not frozen, while other processes change the window. */
export const RECORD_TRIES = 5;
