/**
 * The frames of the streaming subprotocols of Kubernetes: each message is one byte that names a channel,
 * and the bytes that go through it. `v5.channel.k8s.io` (servers from 1.30 on) is v4 with one thing more:
 * a frame that closes a channel, without which nobody can tell a command that its input has ended.
 */
import type { Status } from './api-error.ts';

/** In the order of preference; older ones carry no exit code. */
export const streamProtocols: readonly string[] = ['v5.channel.k8s.io', 'v4.channel.k8s.io'];

export function canHalfClose(protocol: string): boolean {
  return protocol === 'v5.channel.k8s.io';
}

export const channels = { stdin: 0, stdout: 1, stderr: 2, status: 3, resize: 4 } as const;

const closeSignal = 255;

export function frame(channel: number, payload: Uint8Array): Uint8Array {
  const message = new Uint8Array(payload.length + 1);
  message[0] = channel;
  message.set(payload, 1);
  return message;
}

/** Only v5 knows it. */
export function closeFrame(channel: number): Uint8Array {
  return new Uint8Array([closeSignal, channel]);
}

export interface TerminalSize {
  readonly columns: number;
  readonly rows: number;
}

export function resizeFrame({ columns, rows }: TerminalSize): Uint8Array {
  const text = JSON.stringify({ Width: columns, Height: rows });
  return frame(channels.resize, new TextEncoder().encode(text));
}

/** What came through the status channel so far; null: not a whole status, or none at all. */
export function readStatus(text: string): Status | null {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== 'object' || value === null || !('status' in value)) return null;
    const known = value.status === 'Success' || value.status === 'Failure';
    return known ? (value as Status) : null;
  } catch {
    return null;
  }
}
