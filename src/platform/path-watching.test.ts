import { expect, test } from 'vitest';

import { MAX_KEPT, onPress, type PathWatching, type PathWatchOptions } from './path-watching.ts';

interface Fake {
  readonly watching: PathWatching;
  readonly hint: (path: string) => void;
  readonly press: () => void;
  readonly state: { stopped: number; closed: number };
}

function fake(): Fake {
  const given: PathWatchOptions[] = [];
  const presses: (() => void)[] = [];
  const state = { stopped: 0, closed: 0 };
  const watching: PathWatching = {
    watch: (_, options) => {
      given.push(options);
      const close = (): Promise<void> => {
        state.closed += 1;
        return Promise.resolve();
      };
      return Promise.resolve({ add: () => Promise.resolve(), close });
    },
  };
  return {
    state,
    hint: (path) => given[0]?.onHint(path),
    press: () => presses[0]?.(),
    watching: onPress(watching, (press) => {
      presses.push(press);
      return () => {
        state.stopped += 1;
      };
    }),
  };
}

test('onPress keeps hints back until the user presses, and reports each once', async () => {
  const reported: string[] = [];
  const { watching, hint, press, state } = fake();
  const options = { ignored: () => false, onError: () => undefined };
  const watch = await watching.watch(['/p'], { ...options, onHint: (path) => reported.push(path) });
  hint('/p/a');
  hint('/p/b');
  hint('/p/a');
  expect(reported).toEqual([]);
  press();
  expect(reported).toEqual(['/p/a', '/p/b']);
  press();
  expect(reported).toHaveLength(2);
  await watch.close();
  expect(state).toEqual({ stopped: 1, closed: 1 });
});

test('onPress keeps no more than so many hints', async () => {
  let reported = 0;
  const { watching, hint } = fake();
  const onHint = (): void => {
    reported += 1;
  };
  await watching.watch(['/p'], { ignored: () => false, onError: () => undefined, onHint });
  for (let index = 0; index <= MAX_KEPT; index += 1) hint(`/p/${index}`);
  expect(reported).toBe(MAX_KEPT);
});
