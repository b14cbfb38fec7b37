/**
 * The frames of `v5.channel.k8s.io`: each message is one byte that names a channel, and the bytes of that
 * channel. A frame of its own closes a channel, which ends the input of a command (half-close).
 */
import type { TerminalSize } from '../platform/supervisor-host.ts';
import type { Status } from './api-error.ts';

/** Of exec and attach. Older versions of it cannot close the input of a command. */
export const commandProtocol = 'v5.channel.k8s.io';

export const channels = { stdin: 0, stdout: 1, stderr: 2, status: 3, resize: 4 } as const;

/** The first byte of a frame that closes the channel of its second byte. */
export const closeSignal = 255;

export function frame(channel: number, payload: Uint8Array): Uint8Array {
  const message = new Uint8Array(payload.length + 1);
  message[0] = channel;
  message.set(payload, 1);
  return message;
}

export function closeFrame(channel: number): Uint8Array {
  return new Uint8Array([closeSignal, channel]);
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

/** The beginning of what comes as UTF-8 in pieces; more than the limit is not kept. */
export interface StreamText {
  add(bytes: Uint8Array): void;
  readonly text: string;
}

export function collectText(unitsMax: number): StreamText {
  const decoder = new TextDecoder();
  let text = '';
  return {
    add: (bytes) => {
      text = (text + decoder.decode(bytes, { stream: true })).slice(0, unitsMax);
    },
    get text() {
      return text;
    },
  };
}
