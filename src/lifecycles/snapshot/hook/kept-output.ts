/** What a status keeps of the output of an attempt: its end, and how much there was. Pure. */
import { cutToBytes, storedTextBytes } from '../../../kube/stored-size.ts';
import { REASON_BYTES_MAX } from '../schema/limits.ts';

const MARKER = /^… (\d+) bytes in all, the end follows:\n/u;

/** `totalBytes`: all that was printed. */
export function keptOutput(
  text: string,
  { totalBytes, bytesMax }: { readonly totalBytes: number; readonly bytesMax: number },
): string {
  return cutToBytes(text, { bytesMax, keep: 'end', marker: markerOf(totalBytes) });
}

/** An output that was kept, in less space. */
export function shorterOutput(output: string, bytesMax: number): string {
  if (storedTextBytes(output) <= bytesMax) return output;
  const [marker = '', told] = MARKER.exec(output) ?? [];
  const totalBytes = told === undefined ? new TextEncoder().encode(output).length : Number(told);
  return keptOutput(output.slice(marker.length), { totalBytes, bytesMax });
}

/** The reason of an attempt, or the message of an error, as far as a status keeps it. */
export function shortReason(text: string): string {
  return cutToBytes(text, { bytesMax: REASON_BYTES_MAX, keep: 'start', marker: '…' });
}

function markerOf(totalBytes: number): string {
  return `… ${totalBytes} bytes in all, the end follows:\n`;
}
