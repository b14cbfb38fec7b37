import { describe, expect, it } from 'vitest';

import { buildProgram } from '../program.ts';
import { placesOf } from './completion-script.ts';
import { wantedValue } from './wanted-value.ts';

const program = buildProgram(() => undefined);
const wanted = (text: string): ReturnType<typeof wantedValue> =>
  wantedValue(program, text === '' ? [] : text.split(' '));

describe('the value at the cursor', () => {
  it.each([
    ['up --runner', ['auto', 'process', 'runc', 'crun']],
    ['snapshot list -o', ['text', 'json', 'yaml', 'name', 'wide']],
    ['completion', ['bash', 'zsh', 'fish']],
    ['snapshot list --output =', ['text', 'json', 'yaml', 'name', 'wide']],
  ])('after "%s" is one of %j', (text, values) => {
    expect(wanted(text)).toEqual({ kind: 'choices', values });
  });

  it.each([
    ['rollout status', 'lifecycles'],
    ['rollout status --context', 'contexts'],
    ['snapshot thaw --all', 'hooks'],
    ['snapshot create nightly --recipe', 'recipes'],
    ['build -p', 'profiles'],
    ['runs show', 'runs'],
    ['snapshot restore', 'snapshots'],
    ['snapshot restore nightly --verify', 'recipes'],
    ['snapshot restore --volume-snapshot', 'volume-snapshots'],
    ['status', 'objects'],
    ['down --cluster', 'clusters'],
  ])('after "%s" is one of the %s', (text, source) => {
    expect(wanted(text)).toMatchObject({ kind: 'source', source });
  });

  it('is looked for with the options before it', () => {
    expect(wanted('snapshot status --kubeconfig=a=b --context a -n shop')).toEqual({
      kind: 'source',
      source: 'snapshots',
      options: { '--kubeconfig': 'a=b', '--context': 'a', '--namespace': 'shop' },
    });
  });

  it.each(['', 'up', 'oci run', 'convert', 'ui --port', 'nosuch'])(
    'after "%s" is not known',
    (text) => {
      expect(wanted(text)).toBeNull();
    },
  );
});

it('the places of the command tree have every command, and say which values are looked up', () => {
  const places = new Map(placesOf(program).map((place) => [place.path, place]));
  expect(places.get('')?.words.map(({ word }) => word)).toContain('doctor');
  expect(places.get('rollout status')).toMatchObject({
    valueFlags: ['--context', '--output', '-o'],
    asksArguments: true,
    isNoun: false,
  });
  expect(places.get('oci')).toMatchObject({ isNoun: true, asksArguments: false });
});
