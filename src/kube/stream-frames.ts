/**
 * The frames of `v5.channel.k8s.io`: each message is one byte with the channel number, followed by the bytes of that
 * channel. A special frame closes a channel, which ends the input of a command (half-close).
 */
import type { TerminalSize } from '../platform/supervisor-host.ts';
import type { Status } from './api-error.ts';

/** The protocol of exec and attach. Older versions cannot close the input of a command. */
export const commandProtocol = 'v5.channel.k8s.io';

export const channels = { stdin: 0, stdout: 1, stderr: 2, status: 3, resize: 4 } as const;

/** The first byte of a frame that closes the channel in its second byte. */
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

/** The status in the text of the status channel; null: the text is empty or incomplete. */
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

/** Collects the beginning of a UTF-8 text that arrives in pieces; drops the part beyond the limit. */
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
