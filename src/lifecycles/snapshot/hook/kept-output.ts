/** The part of an attempt's output that a status keeps: its end, and the total size. Pure. */
import { cutToBytes, storedTextBytes } from '../../../kube/stored-size.ts';
import { REASON_BYTES_MAX } from '../schema/limits.ts';

const MARKER = /^… (\d+) bytes in all, the end follows:\n/u;

/** The part of an output that a status keeps. `totalBytes`: size of the whole output in bytes. */
export function keptOutput(
  text: string,
  { totalBytes, bytesMax }: { readonly totalBytes: number; readonly bytesMax: number },
): string {
  return cutToBytes(text, { bytesMax, keep: 'end', marker: markerOf(totalBytes) });
}

/** Shortens an output that was kept before. */
export function shorterOutput(output: string, bytesMax: number): string {
  if (storedTextBytes(output) <= bytesMax) return output;
  const [marker = '', reported] = MARKER.exec(output) ?? [];
  const totalBytes =
    reported === undefined ? new TextEncoder().encode(output).length : Number(reported);
  return keptOutput(output.slice(marker.length), { totalBytes, bytesMax });
}

/** The reason of an attempt, or the message of an error, limited to the size that a status keeps. */
export function shortReason(text: string): string {
  return cutToBytes(text, { bytesMax: REASON_BYTES_MAX, keep: 'start', marker: '…' });
}

function markerOf(totalBytes: number): string {
  return `… ${totalBytes} bytes in all, the end follows:\n`;
}
