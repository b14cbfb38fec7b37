import { expect, it, onTestFinished, vi } from 'vitest';

import type { LifeEvent } from '../../lifecycles/container/life/life.ts';
import { lifeOf } from './life-options.ts';

it('prints no control characters of the output of a hook or of a warning', () => {
  vi.stubEnv('FORCE_COLOR', undefined);
  onTestFinished(() => void vi.unstubAllEnvs());
  const lines: string[] = [];
  const { emit } = lifeOf({ verbose: true }, { write: (text: string) => lines.push(text) });
  const detail = {
    type: 'Output',
    runId: 'r',
    atMs: 0,
    step: 'mount',
    attempt: 1,
    stream: 'stdout',
    text: 'one\r\u001B[2Jtwo\nthree\n',
  } as const;
  emit?.({ type: 'Hook', id: 'web', event: { detail } } as LifeEvent);
  const problem = { code: 'LHG001', severity: 'warning', message: '\u001B[2JIt.', next: 'See.' };
  emit?.({ type: 'Warning', id: 'web', problem } as LifeEvent);
  expect(lines).toEqual([
    'web  mount  | one\uFFFD\uFFFD[2Jtwo\n',
    'web  mount  | three\n',
    'warning LHG001: \uFFFD[2JIt. Next: See.\n',
  ]);
});
