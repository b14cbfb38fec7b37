/** Other ways to be told of changes than the system's own: each is a PathWatching of which the rest knows nothing. */
import type { PathWatching } from './path-watching.ts';

/** Calls `press` with each line that the user enters; returns how to stop. */
export type Presses = (press: () => void) => () => void;

/**
 * Hints are kept back until the user presses a key: what was told by then comes at once. At most so many are kept, and
 * more of them are told as they come.
 */
export function onPress(watching: PathWatching, presses: Presses): PathWatching {
  return {
    watch: async (roots, options) => {
      const kept = new Set<string>();
      const tell = (): void => {
        const paths = [...kept];
        kept.clear();
        for (const path of paths) options.onHint(path);
      };
      const watch = await watching.watch(roots, {
        ...options,
        onHint: (path) => {
          kept.add(path);
          if (kept.size >= MAX_KEPT) tell();
        },
      });
      const stop = presses(tell);
      return {
        add: (paths) => watch.add(paths),
        close: async () => {
          stop();
          await watch.close();
        },
      };
    },
  };
}

export const MAX_KEPT = 100_000;
