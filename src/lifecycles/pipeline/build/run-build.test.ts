import { existsSync } from 'node:fs';
import { describe, expect, test } from 'vitest';

import {
  artifactIn,
  customBuilder,
  NO_HOOKS,
} from '../../../../test/fixtures/pipeline/build-stand.ts';
import { BUILD, fileImages, log, web } from '../../../../test/fixtures/pipeline/file-images.ts';
import { shell } from '../../../../test/fixtures/pipeline/sample-hooks.ts';
import { sha256 } from '../../../platform/digests.ts';
import type { Artifact, TagPolicy } from '../config/model.ts';
import type { PipelineHook } from '../hooks/model.ts';
import { runBuild } from './run-build.ts';

const before = (...hooks: PipelineHook[]): Artifact['hooks'] => ({ ...NO_HOOKS, before: hooks });
const after = (...hooks: PipelineHook[]): Artifact['hooks'] => ({ ...NO_HOOKS, after: hooks });

/** Lists no file at its first call, and hangs at its second one. */
const LIST = 'test -e listed && exec sleep 30; touch listed; echo "[]"';

describe('a build', () => {
  test('builds the artifact with its hooks, and skips both while the image is cached (PIPE-CASE21)', async () => {
    const hook = shell('echo hook $IMAGE $PUSH_IMAGE >> log');
    const s = fileImages({ artifactsIn: (folder) => [web(folder, { hooks: before(hook) })] });
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
    const s = fileImages({ artifactsIn: (folder) => [web(folder, { hooks })] });
    s.write('web/src', 'one');
    expect(await runBuild(s.session)).toMatchObject({ outcome: 'Failed', exitCode: 3 });
    expect(log(s)).toBe('');
  });

  test.each([
    ['when it is planned', 1, NO_HOOKS],
    ['when it is planned after a hook', 1, before(shell('true', { policy: { inputs: ['in'] } }))],
    ['before the builder runs', 2, NO_HOOKS],
  ])('is cancelled by an interruption while its files are listed %s', async (_, nth, hooks) => {
    const dependencies = { kind: 'command', command: LIST } as const;
    const builder = { kind: 'custom', buildCommand: BUILD, dependencies } as const;
    const s = fileImages({ artifactsIn: (folder) => [web(folder, { builder, hooks })] });
    s.write(nth === 1 ? 'web/listed' : 'web/src', 'one');
    const interrupt = new AbortController();
    let lists = 0;
    const { platform } = s.session;
    const spawn: typeof platform.processes.spawn = (spec) => {
      if (spec.argv.includes(LIST)) lists += 1;
      if (lists === nth)
        queueMicrotask(() => {
          interrupt.abort();
        });
      return platform.processes.spawn(spec);
    };
    const result = await runBuild({
      ...s.session,
      platform: { ...platform, processes: { spawn } },
      hooks: { ...s.session.hooks, signal: interrupt.signal },
    });
    expect(result).toMatchObject({ outcome: 'Cancelled', exitCode: 130 });
    expect(log(s)).toBe('');
  });

  test('PIPE-CASE20: runs builder and after hook again when the after hook failed before', async () => {
    const hooks = after(shell('echo after >> log; test -e ok || exit 4'));
    const s = fileImages({ artifactsIn: (folder) => [web(folder, { hooks })] });
    s.write('web/src', 'one');
    expect(await runBuild(s.session)).toMatchObject({ outcome: 'Failed', exitCode: 4 });
    s.write('ok', '');
    expect(await runBuild(s.session)).toMatchObject({ outcome: 'Succeeded' });
    expect(log(s)).toBe('built after built after');
  });

  test('PIPE-CASE22: uses a file that a before hook creates, and caches the image', async () => {
    const hooks = before(shell('mkdir -p web && echo made > web/src'));
    const s = fileImages({ artifactsIn: (folder) => [web(folder, { hooks })] });
    s.write('web/other', '');
    expect(await runBuild(s.session)).toMatchObject({ outcome: 'Succeeded' });
    expect(await runBuild(s.session)).toMatchObject({ value: [{ cached: true }] });
  });

  test('PIPE-B7, PIPE-B8: runs a hook with inputs before it computes cache keys and tags', async () => {
    const hook = shell('cp in web/src', { policy: { inputs: ['in'], run: 'changed' } });
    const tagPolicy = { kind: 'inputDigest' } as const;
    const s = fileImages({
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

  test('PIPE-CASE43: prints the output of parallel builds one build after the other, each with its hooks', async () => {
    const slow = customBuilder('echo a1; sleep 0.3; echo a2; echo x > ../images/$IMAGE');
    const fast = customBuilder('echo b1; echo y > ../images/$IMAGE');
    const hooks = after(shell('echo hooked', { address: 'build/fast/after/0', when: 'after' }));
    const s = fileImages({
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

  test('PIPE-P6: masks in the output of a later parallel build a secret that its hook sets afterwards', async () => {
    const wait = customBuilder(
      'until test -e ../go; do sleep 0.02; done; echo x > ../images/$IMAGE',
    );
    const script = 'echo hunter22; sleep 0.3; echo API_TOKEN=hunter22 >> "$LIFEHOOK_ENV"';
    const hooks = {
      ...before(shell(script, { address: 'build/second/before/0' })),
      after: [shell('touch go', { address: 'build/second/after/0', when: 'after' })],
    } as const;
    const s = fileImages({
      concurrency: 0,
      artifactsIn: (folder) => [
        artifactIn(`${folder}/web`, 'first', { builder: wait }),
        artifactIn(`${folder}/web`, 'second', {
          builder: customBuilder('echo y > ../images/$IMAGE'),
          hooks,
        }),
      ],
    });
    s.write('web/src', '');
    expect(await runBuild(s.session)).toMatchObject({ outcome: 'Succeeded' });
    expect(s.lines()).toContain('build/second/before/0: ***');
    expect(JSON.stringify(s.events)).not.toContain('hunter22');
  });

  test('of selected images keeps the earlier results of the others', async () => {
    const s = fileImages({
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
    const s = fileImages({ artifactsIn: (folder) => [web(folder)], options: { tag: 'v1' } });
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
    const s = fileImages({ artifactsIn: (folder) => [web(folder, { hooks })] });
    s.write('web/src', 'one');
    expect(await runBuild(s.session)).toMatchObject({ exitCode: 3 });
    expect(log(s)).toBe('error finally');
  });

  test.each([
    ['such a hook failed', 'exit 3', { kind: 'sha256' }],
    ['no tag can be computed after it', 'true', { kind: 'envTemplate', template: '{{.NOPE}}' }],
  ] as const)(
    'PIPE-P7: runs onError and finally hooks of an image whose hook has inputs when %s',
    async (_, script, tagPolicy) => {
      const hooks = {
        ...before(shell(script, { policy: { inputs: ['in'] } })),
        onError: [shell('echo error >> log', { when: 'onError' })],
        finally: [shell('echo finally >> log', { when: 'finally' })],
      };
      const s = fileImages({ tagPolicy, artifactsIn: (folder) => [web(folder, { hooks })] });
      s.write('web/src', 'one');
      await runBuild(s.session).catch(() => undefined);
      expect(log(s)).toBe('error finally');
    },
  );

  test('PIPE-P7: runs finally hooks of a build that is interrupted as it begins', async () => {
    const s = fileImages({
      artifactsIn: (folder) => [web(folder)],
      hooks: { ...NO_HOOKS, finally: [shell('echo finally >> log', { when: 'finally' })] },
      context: { signal: AbortSignal.abort() },
    });
    s.write('web/src', 'one');
    expect(await runBuild(s.session)).toMatchObject({ outcome: 'Cancelled' });
    expect(log(s)).toBe('finally');
  });

  test('reports the end of a build that rejects', async () => {
    const s = fileImages({
      artifactsIn: (folder) => [artifactIn(`${folder}/web`, 'web')],
    });
    s.write('web/src', 'one');
    await expect(runBuild(s.session)).rejects.toThrow('no folder is built here');
    expect(s.events.filter(({ type }) => type === 'PhaseEvent')).toMatchObject([
      { status: 'InProgress' },
      { status: 'Failed', message: expect.stringContaining('no folder is built here') },
    ]);
  });

  test('with --compat has the tag latest and a warning where the tag policy cannot produce one', async () => {
    const tagPolicy = { kind: 'gitCommit', variant: 'Tags', prefix: '', ignoreChanges: false };
    const s = fileImages({
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
    const s = fileImages({ tagPolicy, artifactsIn: (folder) => [web(folder)] });
    await expect(runBuild(s.session)).rejects.toThrow(
      'LHL301: The tag of web cannot be computed by envTemplate: {{.NOPE}} has no value',
    );
  });
});
