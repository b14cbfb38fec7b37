/** Applies a fault to one event of a watch on its way to the client. */
import type * as http from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';

import type { LineFault } from './fault-dice.ts';

export const DELAY_MS = 30;

export const EXPIRED = {
  kind: 'Status',
  apiVersion: 'v1',
  metadata: {},
  status: 'Failure',
  message: 'too old resource version (by the proxy)',
  reason: 'Expired',
  code: 410,
} as const;

export interface PassingLine {
  readonly line: string;
  readonly response: http.ServerResponse;
  /** Lines that this watch has sent before this one. */
  readonly sent: readonly string[];
}

/** Applies the fault to the event, and resolves with whether the watch continues. */
export const hurtLine: Readonly<
  Record<Exclude<LineFault, 'lostBookmark'>, (passing: PassingLine) => Promise<boolean>>
> = {
  delay: async () => {
    await pause(DELAY_MS);
    return true;
  },
  duplicate: async ({ line, response }) => {
    await writeLine(response, line);
    return true;
  },
  replay: async ({ response, sent }) => {
    for (const old of sent) await writeLine(response, old);
    return true;
  },
  resetMidLine: async ({ line, response }) => {
    await write(response, line.slice(0, line.length / 2));
    response.socket?.resetAndDestroy();
    return false;
  },
  truncate: async ({ line, response }) => {
    response.end(line.slice(0, line.length / 2), 'latin1');
    return false;
  },
  cut: async ({ response }) => {
    response.socket?.resetAndDestroy();
    return false;
  },
  stall: async ({ response }) => {
    await new Promise((resolve) => response.on('close', resolve));
    return false;
  },
  expiredEvent: async ({ response }) => {
    response.end(`${JSON.stringify({ type: 'ERROR', object: EXPIRED })}\n`);
    return false;
  },
  garbage: async ({ line, response }) => {
    response.end(`<html>\n${line}\n`, 'latin1');
    return false;
  },
};

export function writeLine(response: http.ServerResponse, line: string): Promise<void> {
  return write(response, `${line}\n`);
}

/** Sends the bytes. Also resolves when the client has disconnected: the bytes are lost then. */
function write(response: http.ServerResponse, bytes: string): Promise<void> {
  return new Promise((resolve) => {
    response.write(bytes, 'latin1', () => {
      resolve();
    });
  });
}
