/** How `dev` learns of changes: from the system, by looking again and again, or when the user presses Enter. */
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

/** Each line of stdin is a press; one that has ended has no more. */
function onEnter(press: () => void): () => void {
  const { stdin } = process;
  const listen = (): void => {
    press();
  };
  stdin.on('data', listen);
  return () => {
    stdin.off('data', listen);
    // Read, it would keep the process alive; a watch that is opened anew reads on.
    if (stdin.listenerCount('data') === 0) stdin.pause();
  };
}
