/** The triggers of `dev`: file events of the operating system, polling, or the user's Enter key. */
import process from 'node:process';

import {
  nodePathPolling,
  nodePathWatching,
  onPress,
  type PathWatching,
} from '../../platform/path-watching.ts';
import type { Trigger } from './dev.ts';

export function watchingBy(trigger: Trigger, pollMs: number): PathWatching {
  switch (trigger) {
    case 'notify':
      return nodePathWatching;
    case 'polling':
      return nodePathPolling(pollMs);
    case 'manual':
      return onPress(nodePathWatching, onEnter);
    default:
      return trigger satisfies never;
  }
}

/**
 * Calls `press` for each chunk of stdin that contains a line feed. Several line feeds in one chunk are one press. The
 * end of stdin is none.
 */
export function onEnter(press: () => void): () => void {
  const { stdin } = process;
  const listen = (chunk: Buffer | string): void => {
    if (chunk.includes('\n')) press();
  };
  stdin.on('data', listen);
  // A listener alone does not resume a stream that was paused.
  stdin.resume();
  return () => {
    stdin.off('data', listen);
    // stdin is paused if no other watch reads it, because a stream that is read keeps the process alive.
    if (stdin.listenerCount('data') === 0) stdin.pause();
  };
}
