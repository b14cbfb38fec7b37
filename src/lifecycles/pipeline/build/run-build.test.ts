import { copyFileSync, existsSync, readFileSync } from 'node:fs';
import { afterEach, describe, expect, test } from 'vitest';

import {
  artifactIn,
  type BuildStand,
  buildStand,
  customBuilder,
  NO_HOOKS,
  type StandWishes,
} from '../../../../test/fixtures/pipeline/build-stand.ts';
import { shell } from '../../../../test/fixtures/pipeline/sample-hooks.ts';
import { sha256 } from '../../../platform/digests.ts';
import type { Artifact, TagPolicy } from '../config/model.ts';
import type { PipelineHook } from '../hooks/model.ts';
import type { ImagePort } from '../session.ts';
import { runBuild } from './run-build.ts';

const stands: BuildStand[] = [];

/** A cluster whose images are the files `images/REFERENCE`, which custom builders write. */
function standWith(wishes: StandWishes): BuildStand {
  const state = { folder: '' };
  const contentOf = (reference: string): string => `${state.folder}/images/${reference}`;
  const images: ImagePort = {
    importImage: () => Promise.reject(new Error('no folder is built here')),
    idOf: (reference) =>
      Promise.resolve(
        existsSync(contentOf(reference))
          ? `sha256:${sha256(readFileSync(contentOf(reference), 'utf8'))}`
          : null,
      ),
    tag: (existing, reference) => {
      copyFileSync(contentOf(existing), contentOf(reference));
      return Promise.resolve();
    },
  };
  const made = buildStand({ images, ...wishes });
  state.folder = made.folder;
  stands.push(made);
  made.write('images/.keep', '');
  return made;
}

afterEach(() => {
  for (const one of stands.splice(0)) one.remove();
});

const BUILD = 'echo built >> ../log; cat src > ../images/$IMAGE';

function web(folder: string, more: Partial<Artifact> = {}): Artifact {
  return artifactIn(`${folder}/web`, 'web', { builder: customBuilder(BUILD), ...more });
}

const before = (...hooks: PipelineHook[]): Artifact['hooks'] => ({ ...NO_HOOKS, before: hooks });
const after = (...hooks: PipelineHook[]): Artifact['hooks'] => ({ ...NO_HOOKS, after: hooks });

const log = ({ folder }: BuildStand): string =>
  existsSync(`${folder}/log`)
    ? readFileSync(`${folder}/log`, 'utf8').trim().replaceAll('\n', ' ')
    : '';

describe('a build', () => {
  test('builds the artifact with its hooks, and skips both while the image is cached (PIPE-CASE21)', async () => {
    const hook = shell('echo hook $IMAGE $PUSH_IMAGE >> log');
    const s = standWith({ artifactsIn: (folder) => [web(folder, { hooks: before(hook) })] });
    s.write('web/src', 'one');
    const first = await runBuild(s.session);
    expect(first).toMatchObject({
      outcome: 'Succeeded',
      value: [
        { image: 'web', reference: 'web:latest', id: `sha256:${sha256('one')}`, cached: false },
      ],
    });
    const second = await runBuild(s.session);
    expect(second).toMatchObject({ outcome: 'Succeeded', value: [{ cached: true }] });
    expect(log(s)).toBe('hook web:latest false built');
    s.write('web/src', 'two');
    await runBuild(s.session);
    expect(log(s)).toBe('hook web:latest false built hook web:latest false built');
  });

  test('PIPE-CASE19: fails with the exit code of a failed before hook, and runs neither later hooks nor the builder', async () => {
    const hooks = before(shell('exit 3'), shell('echo second >> log'));
    const s = standWith({ artifactsIn: (folder) => [web(folder, { hooks })] });
    s.write('web/src', 'one');
    expect(await runBuild(s.session)).toMatchObject({ outcome: 'Failed', exitCode: 3 });
    expect(log(s)).toBe('');
  });

  test('PIPE-CASE20: runs builder and after hook again when the after hook failed before', async () => {
    const hooks = after(shell('echo after >> log; test -e ok || exit 4'));
    const s = standWith({ artifactsIn: (folder) => [web(folder, { hooks })] });
    s.write('web/src', 'one');
    expect(await runBuild(s.session)).toMatchObject({ outcome: 'Failed', exitCode: 4 });
    s.write('ok', '');
    expect(await runBuild(s.session)).toMatchObject({ outcome: 'Succeeded' });
    expect(log(s)).toBe('built after built after');
  });

  test('PIPE-CASE22: uses a file that a before hook creates, and caches the image', async () => {
    const hooks = before(shell('mkdir -p web && echo made > web/src'));
    const s = standWith({ artifactsIn: (folder) => [web(folder, { hooks })] });
    s.write('web/other', '');
    expect(await runBuild(s.session)).toMatchObject({ outcome: 'Succeeded' });
    expect(await runBuild(s.session)).toMatchObject({ value: [{ cached: true }] });
  });

  test('PIPE-B7, PIPE-B8: runs a hook with inputs before it computes cache keys and tags', async () => {
    const hook = shell('cp in web/src', { policy: { inputs: ['in'], run: 'changed' } });
    const tagPolicy = { kind: 'inputDigest' } as const;
    const s = standWith({
      tagPolicy,
      artifactsIn: (folder) => [web(folder, { hooks: before(hook) })],
    });
    s.write('web/other', '');
    s.write('in', 'one');
    const first = await runBuild(s.session);
    s.write('in', 'two');
    const second = await runBuild(s.session);
    expect(second).toMatchObject({ value: [{ id: `sha256:${sha256('two')}`, cached: false }] });
    // The tag was derived from the built content. Nothing has changed since, so the next build finds the image under
    // this tag.
    const reference = second.outcome === 'Succeeded' ? second.value[0]?.reference : null;
    expect(await runBuild(s.session)).toMatchObject({ value: [{ reference, cached: true }] });
    expect(second.outcome === 'Succeeded' && second.value[0]?.reference).not.toBe(
      first.outcome === 'Succeeded' && first.value[0]?.reference,
    );
  });

  test('PIPE-CASE43: skips an image whose required image failed, and returns the exit code of the failure', async () => {
    const s = standWith({
      concurrency: 2,
      artifactsIn: (folder) => [
        web(folder, { builder: customBuilder('exit 7') }),
        artifactIn(`${folder}/web`, 'top', {
          builder: customBuilder('echo top >> ../log'),
          requires: [{ image: 'web', alias: 'BASE' }],
        }),
      ],
    });
    s.write('web/src', 'one');
    expect(await runBuild(s.session)).toMatchObject({
      outcome: 'Failed',
      exitCode: 7,
      message: expect.stringContaining('LHL304: The build of web failed'),
    });
    expect(log(s)).toBe('');
  });

  test('PIPE-CASE43: prints the output of parallel builds one build after the other, each with its hooks', async () => {
    const slow = customBuilder('echo a1; sleep 0.3; echo a2; echo x > ../images/$IMAGE');
    const fast = customBuilder('echo b1; echo y > ../images/$IMAGE');
    const hooks = after(shell('echo hooked', { address: 'build/fast/after/0', when: 'after' }));
    const s = standWith({
      concurrency: 0,
      artifactsIn: (folder) => [
        artifactIn(`${folder}/web`, 'slow', { builder: slow }),
        artifactIn(`${folder}/web`, 'fast', { builder: fast, hooks }),
      ],
    });
    s.write('web/src', '');
    expect(await runBuild(s.session)).toMatchObject({ outcome: 'Succeeded' });
    expect(s.lines()).toEqual([
      'build/slow: a1',
      'build/slow: a2',
      'build/fast: b1',
      'build/fast/after/0: hooked',
    ]);
  });

  test('passes a custom builder the reference of a required image in the variable of its alias', async () => {
    const s = standWith({
      artifactsIn: (folder) => [
        artifactIn(`${folder}/web`, 'top', {
          builder: customBuilder('echo $BASE > ../images/$IMAGE; cp ../images/$IMAGE ../log'),
          requires: [{ image: 'web', alias: 'BASE' }],
        }),
        web(folder, { builder: customBuilder('cat src > ../images/$IMAGE') }),
      ],
    });
    s.write('web/src', 'one');
    expect(await runBuild(s.session)).toMatchObject({
      value: [{ image: 'web' }, { image: 'top' }],
    });
    expect(log(s)).toBe('web:latest');
  });

  test('of selected images keeps the earlier results of the others', async () => {
    const s = standWith({
      options: { cacheArtifacts: false },
      artifactsIn: (folder) => [
        web(folder),
        artifactIn(`${folder}/web`, 'api', {
          builder: customBuilder(BUILD.replace('built', 'api')),
        }),
      ],
    });
    s.write('web/src', 'one');
    const first = await runBuild(s.session);
    if (first.outcome !== 'Succeeded') throw new Error(first.message);
    const second = await runBuild(s.session, new Set(['api']), first.value);
    expect(second).toMatchObject({ value: [{ image: 'web' }, { image: 'api' }] });
    expect(log(s)).toBe('built api api');
  });

  test('with a new tag tags the cached image instead of building it', async () => {
    const s = standWith({ artifactsIn: (folder) => [web(folder)], options: { tag: 'v1' } });
    s.write('web/src', 'one');
    await runBuild(s.session);
    const session = { ...s.session, options: { ...s.session.options, tag: 'v2' } };
    const id = `sha256:${sha256('one')}`;
    expect(await runBuild(session)).toMatchObject({
      value: [{ reference: 'web:v2', id, cached: true }],
    });
    expect(existsSync(`${s.folder}/images/web:v2`)).toBe(true);
    expect(log(s)).toBe('built');
  });

  test('runs onError and finally hooks after a before hook failed', async () => {
    const hooks = {
      ...before(shell('exit 3')),
      onError: [shell('echo error >> log', { when: 'onError' })],
      finally: [shell('echo finally >> log', { when: 'finally' })],
    };
    const s = standWith({ artifactsIn: (folder) => [web(folder, { hooks })] });
    s.write('web/src', 'one');
    expect(await runBuild(s.session)).toMatchObject({ exitCode: 3 });
    expect(log(s)).toBe('error finally');
  });

  test('with --compat has the tag latest and a warning where the tag policy cannot produce one', async () => {
    const tagPolicy = { kind: 'gitCommit', variant: 'Tags', prefix: '', ignoreChanges: false };
    const s = standWith({
      tagPolicy: tagPolicy as TagPolicy,
      options: { compat: true },
      artifactsIn: (folder) => [web(folder)],
    });
    s.write('web/src', 'one');
    expect(await runBuild(s.session)).toMatchObject({ value: [{ reference: 'web:latest' }] });
    const warnings = s.events.filter(({ type }) => type === 'Warning');
    expect(warnings).toMatchObject([{ code: 'LHL301' }]);
    expect(JSON.stringify(warnings)).toContain('with --compat it is latest: git describe');
  });

  test('PIPE-B14: rejects when the tag policy cannot produce a tag', async () => {
    const tagPolicy = { kind: 'envTemplate', template: '{{.NOPE}}' } as const;
    const s = standWith({ tagPolicy, artifactsIn: (folder) => [web(folder)] });
    await expect(runBuild(s.session)).rejects.toThrow(
      'LHL301: The tag of web cannot be computed by envTemplate: {{.NOPE}} has no value',
    );
  });
});
