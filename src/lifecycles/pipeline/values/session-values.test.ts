import { describe, expect, test } from 'vitest';

import { MAX_SESSION_UNITS, SessionValues, type Told } from './session-values.ts';
import { expandHookValues } from './template-values.ts';

function told(more: Partial<Told>): Told {
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
  test('case 46: are kept in the next iteration, and the last write wins', () => {
    const session = new SessionValues();
    session.record(told({ values: { FOO: '1', BAR: 'x' } }));
    expect(session.environment()).toEqual({ FOO: '1', BAR: 'x' });
    session.record(told({ hook: 'build/web/after/0', iteration: 2, values: { FOO: '2' } }));
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
    expect(session.record(told({ values: { A: '1', B: 'x'.repeat(MAX_SESSION_UNITS) } }))).toBe(
      false,
    );
    expect(session.environment()).toEqual({});
  });

  test('are secret when the hook declares them so or their name says so', () => {
    const session = new SessionValues();
    const outputs = { key: 'from-json', other: 'shown' };
    session.record(
      told({
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
  session.record(told({ values: { FOO: '1', BAR: 'x' }, recordedValues: ['FOO'] }));
  expect(['FOO', 'BAR'].map((name) => session.isHarmless(name))).toEqual([true, false]);
  session.record(told({ hook: 'other', values: { FOO: '2' } }));
  expect(session.isHarmless('FOO')).toBe(false);
});

describe('values in templates', () => {
  const session = new SessionValues();
  session.record(told({ values: { FOO: 'v1' }, outputs: { port: 80, image: { tag: 't' } } }));
  session.record(told({ hook: 'build/web/after/0', values: { FOO: 'w' } }));
  const expand = (text: string): unknown => {
    const result = expandHookValues(text, session.byHook());
    return result.kind === 'expanded' ? result.text : result;
  };

  test.each([
    ['a-{{ .hooks.version.FOO }}-{{.hooks.version.port}}', 'a-v1-80'],
    ['{{- .hooks.version.image.tag -}}', 't'],
    ['{{ index .hooks "build/web/after/0" "FOO" }}', 'w'],
    ['{{ .hooks.version.image }}', '{"tag":"t"}'],
    ['{{ .IMAGE_TAG }} {{ .hooks }}', '{{ .IMAGE_TAG }} {{ .hooks }}'],
  ])('%s expands to %s', (text, expected) => {
    expect(expand(text)).toBe(expected);
  });

  test.each([
    ['{{ .hooks.versio.FOO }}', 'the hook "versio", which has set nothing yet'],
    ['{{ .hooks.version.BAR }}', '"BAR", which the hook "version" has not set'],
    ['{{ .hooks.version.constructor }}', '"constructor", which the hook "version" has not set'],
    ['{{ .hooks.constructor.name }}', 'the hook "constructor", which has set nothing yet'],
  ])('%s is reported as unknown', (text, reason) => {
    expect(expand(text)).toEqual({ kind: 'unknown', reason: `${text} names ${reason}` });
  });

  test('are not expanded as templates themselves', () => {
    const tricky = new SessionValues();
    tricky.record(told({ values: { A: '{{ .hooks.version.B }}', B: 'secret' } }));
    expect(expandHookValues('{{ .hooks.version.A }}', tricky.byHook())).toEqual({
      kind: 'expanded',
      text: '{{ .hooks.version.B }}',
    });
  });
});
