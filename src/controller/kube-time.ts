/** Times as Kubernetes writes them; the API server refuses a Lease whose times have other decimals. */

/** "2026-01-01T00:00:00Z": what most times are, in whole seconds. */
export function timeText(wallMs: number): string {
  return `${new Date(wallMs).toISOString().slice(0, 19)}Z`;
}

/** "2026-01-01T00:00:00.123000Z": a MicroTime has six decimals, always. */
export function microTimeText(wallMs: number): string {
  return `${new Date(wallMs).toISOString().slice(0, 23)}000Z`;
}
