/** Formats times for Kubernetes; the API server refuses a Lease with another number of decimals. */

/** "2026-01-01T00:00:00Z": the format of most times, in whole seconds. */
export function timeText(wallMs: number): string {
  return `${new Date(wallMs).toISOString().slice(0, 19)}Z`;
}

/** "2026-01-01T00:00:00.123000Z": a MicroTime always has six decimals. */
export function microTimeText(wallMs: number): string {
  return `${new Date(wallMs).toISOString().slice(0, 23)}000Z`;
}
