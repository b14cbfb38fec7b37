import { describe, expect, test } from 'vitest';

import { expandGoTemplate, type TemplateResult } from '../build/go-template.ts';
import {
  MAX_SESSION_UNITS,
  SessionValues,
  type HookOutputs,
  hooksTemplateData,
} from './session-values.ts';

function reported(more: Partial<HookOutputs>): HookOutputs {
  return {
    hook: 'version',
    iteration: 1,
    values: {},
    outputs: {},
    secrets: [],
    recordedValues: [],
    ...more,
  };
}

describe('values of a session', () => {
  test('PIPE-CASE46: are kept in the next iteration, and the last write wins', () => {
    const session = new SessionValues();
    session.record(reported({ values: { FOO: '1', BAR: 'x' } }));
    expect(session.environment()).toEqual({ FOO: '1', BAR: 'x' });
    session.record(reported({ hook: 'build/web/after/0', iteration: 2, values: { FOO: '2' } }));
    expect(session.environment()).toEqual({ FOO: '2', BAR: 'x' });
    expect(session.recorded('FOO')).toEqual({
      value: '2',
      from: 'build/web/after/0',
      iteration: 2,
    });
    expect(session.recorded('BAR')?.iteration).toBe(1);
    expect(session.recorded('BAZ')).toBeNull();
  });

  test('are refused as a whole when they exceed the size limit of a session', () => {
    const session = new SessionValues();
    expect(session.record(reported({ values: { A: '1', B: 'x'.repeat(MAX_SESSION_UNITS) } }))).toBe(
      false,
    );
    expect(session.environment()).toEqual({});
  });

  test('are secret when the hook declares them so or their name says so', () => {
    const session = new SessionValues();
    const outputs = { key: 'from-json', other: 'shown' };
    session.record(
      reported({
        values: { A: 'aaaa', DB_PASSWORD: 'pppp', B: 'bbbb' },
        outputs,
        secrets: ['A', 'key'],
      }),
    );
    expect(session.secretValues()).toEqual(['aaaa', 'pppp', 'from-json']);
  });
});

test('values are harmless while the hook that has set them last says so', () => {
  const session = new SessionValues();
  session.record(reported({ values: { FOO: '1', BAR: 'x' }, recordedValues: ['FOO'] }));
  expect(['FOO', 'BAR'].map((name) => session.isHarmless(name))).toEqual([true, false]);
  session.record(reported({ hook: 'other', values: { FOO: '2' } }));
  expect(session.isHarmless('FOO')).toBe(false);
});

describe('values in templates', () => {
  const session = new SessionValues();
  session.record(reported({ values: { FOO: 'v1' }, outputs: { port: 80, image: { tag: 't' } } }));
  session.record(reported({ hook: 'build/web/after/0', values: { FOO: 'w' } }));
  const expand = (text: string, values = session): Promise<TemplateResult> =>
    expandGoTemplate(text, {
      data: { hooks: hooksTemplateData(values.byHook()) },
      command: () => Promise.resolve(null),
    });

  test.each([
    ['a-{{ .hooks.version.FOO }}-{{.hooks.version.port}}', 'a-v1-80'],
    ['{{- .hooks.version.image.tag -}}', 't'],
    ['{{ index .hooks "build/web/after/0" "FOO" }}', 'w'],
    ['{{ .hooks.version.image }}', '{"tag":"t"}'],
  ])('%s expands to %s', async (text, expected) => {
    expect(await expand(text)).toEqual({ kind: 'text', text: expected });
  });

  test.each([
    '{{ .hooks.versio.FOO }}',
    '{{ .hooks.version.BAR }}',
    '{{ .hooks.version.constructor }}',
    '{{ .hooks.constructor.name }}',
  ])('%s is refused: nothing of that name is set', async (text) => {
    expect(await expand(text)).toMatchObject({ kind: 'wrong' });
  });

  test('are not expanded as templates themselves', async () => {
    const tricky = new SessionValues();
    tricky.record(reported({ values: { A: '{{ .hooks.version.B }}', B: 'secret' } }));
    const text = '{{ .hooks.version.B }}';
    expect(await expand('{{ .hooks.version.A }}', tricky)).toEqual({ kind: 'text', text });
  });
});
