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

/** Each chunk of stdin counts as one press; a terminal sends one line a chunk. No press follows the end of stdin. */
function onEnter(press: () => void): () => void {
  const { stdin } = process;
  const listen = (): void => {
    press();
  };
  stdin.on('data', listen);
  return () => {
    stdin.off('data', listen);
    // stdin is paused if no other watch reads it, because a stream that is read keeps the process alive. A new watch
    // resumes it.
    if (stdin.listenerCount('data') === 0) stdin.pause();
  };
}
