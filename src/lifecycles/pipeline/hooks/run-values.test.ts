import { readdirSync, statSync } from 'node:fs';
import { afterEach, describe, expect, test } from 'vitest';

import { type HookStand, hookStand } from '../../../../test/fixtures/pipeline/hook-stand.ts';
import { hostHook, shell } from '../../../../test/fixtures/pipeline/sample-hooks.ts';
import { makeContract } from './contract.ts';

const stands: HookStand[] = [];

function stand(...more: Parameters<typeof hookStand>): HookStand {
  const made = hookStand(...more);
  stands.push(made);
  return made;
}

afterEach(() => {
  for (const one of stands.splice(0)) one.remove();
});

describe('values of hooks', () => {
  test('reach later hooks and the next iteration from the env file, but not the hook itself (PIPE-E2, PIPE-E3, PIPE-CASE46)', async () => {
    const s = stand();
    const show = 'echo "FOO=$FOO"';
    await s.run([
      shell(`echo FOO=BAR >> "$LIFEHOOK_ENV"; ${show}`, { address: 'a' }),
      shell(show, { address: 'b' }),
    ]);
    await s.run([shell(show, { address: 'c' })]);
    expect(s.lines()).toEqual(['a: FOO=', 'b: FOO=BAR', 'c: FOO=BAR']);
  });

  test('are written to a new file that only the user can read, which is removed afterwards', async () => {
    const s = stand();
    await s.run([shell('stat -c "%a %s" "$LIFEHOOK_ENV"', { address: 'a' })]);
    expect(s.lines()).toEqual(['a: 600 0']);
    expect(readdirSync(s.context.scratchFolder)).toEqual([]);
    expect(statSync(s.context.scratchFolder).mode & 0o777).toBe(0o700);
  });

  test('of a failed hook are removed too, since they may be secrets', async () => {
    const s = stand();
    const result = await s.run([shell('echo TOKEN=hunter22 >> "$LIFEHOOK_ENV"; exit 3')]);
    expect(result).toMatchObject({ outcome: 'Failed', exitCode: 3 });
    expect(readdirSync(s.context.scratchFolder)).toEqual([]);
  });

  test('are taken from its own file, although the caller is a hook that has such a file, too', async () => {
    const callerEnv = {
      PATH: '/usr/bin:/bin',
      LIFEHOOK_ENV: '/dev/null',
      LIFEHOOK_OUTPUT: '/dev/null',
    };
    const s = stand({ callerEnv });
    const env = { LIFEHOOK_ENV: '/dev/null' };
    await s.run([shell('echo FOO=BAR >> "$LIFEHOOK_ENV"', { policy: { env } })]);
    expect(s.context.values.environment()).toEqual({ FOO: 'BAR' });
  });

  test('of a failed hook are discarded', async () => {
    const s = stand();
    await s.run([shell('echo A=1 >> "$LIFEHOOK_ENV"; exit 1')]);
    expect(s.context.values.environment()).toEqual({});
  });

  test('with a denied name make the hook fail, and none of them is set', async () => {
    const s = stand();
    const result = await s.run([shell('printf "A=1\nPATH=/evil\n" > "$LIFEHOOK_ENV"')]);
    expect(result).toMatchObject({ outcome: 'Failed', exitCode: 1 });
    expect(result.failure?.message).toContain('line 2 of the file LIFEHOOK_ENV is not accepted');
    expect(s.context.values.environment()).toEqual({});
  });

  test('are read from set-env lines on stdout only for hooks with stdoutCommands (PIPE-E1, PIPE-C7)', async () => {
    const s = stand();
    const echo = ['/bin/echo', '::set-env', 'name=FOO::BAR'];
    await s.run([hostHook(echo)]);
    expect(s.context.values.environment()).toEqual({});
    await s.run([
      shell('echo "::set-env name=FOO::BAR" >&2', { policy: { stdoutCommands: true } }),
    ]);
    expect(s.context.values.environment()).toEqual({});
    await s.run([hostHook(echo, { policy: { stdoutCommands: true } })]);
    expect(s.context.values.environment()).toEqual({ FOO: 'BAR' });
  });

  test('that are secret appear in no event and no record', async () => {
    const s = stand();
    const policy = { stdoutCommands: true, secrets: ['CODE'] };
    await s.run([
      shell('printf "::set-env name=CODE::hunter2"', { address: 'a', policy }),
      shell('echo "it is $CODE"; exit 1', { address: 'b' }),
    ]);
    expect(s.lines()).toEqual(['a: ::set-env name=CODE::***', 'b: it is ***']);
    expect(JSON.stringify([s.events, s.ledger.records])).not.toContain('hunter2');
  });

  describe('that are secret and printed by the hook that sets them are masked,', () => {
    const secret = 'hunter22-of-this-run';
    const file = 'echo "API_TOKEN=$V" >>"$LIFEHOOK_ENV"';
    const stdout = 'echo "::set-env name=API_TOKEN::$V"';
    const output = `printf '{"clientToken":"%s"}' "$V" >"$LIFEHOOK_OUTPUT"`;

    test.each([
      ['after it is set in the file', `${file}; echo "it is $V"`],
      ['before it is set in the file', `echo "it is $V"; sleep 0.3; ${file}`],
      ['to stderr', `${file}; echo "it is $V" >&2`],
      ['in base64', `${file}; printf %s "it is $V" | base64 -w0`],
      ['after a line that sets it', `${stdout}; echo "it is $V"`],
      ['before a line that sets it', `echo "it is $V"; sleep 0.3; ${stdout}`],
      ['as an output', `${output}; echo "it is $V"`],
      [
        'before lines of the file that are not accepted',
        `${file}; echo bad >>"$LIFEHOOK_ENV"; echo "$V"`,
      ],
      ['although the hook fails', `echo "it is $V"; ${file}; echo "it is $V" >&2; exit 3`],
    ])('%s, also in records', async (_when, script) => {
      const s = stand();
      const policy = { stdoutCommands: true };
      await s.run([shell(`V=hunter22-of-; V=\${V}this-run; ${script}`, { policy })]);
      const kept = JSON.stringify([s.events, s.ledger.records]);
      expect(kept).not.toContain(secret);
      expect(kept).toContain('***');
      for (const word of kept.match(/[\w+/]{16,}/gu) ?? []) {
        expect(Buffer.from(word, 'base64').toString('latin1')).not.toContain('hunter22');
      }
    });

    test('and earlier events are looked through only for secrets that the session did not know', async () => {
      const asked: (readonly string[])[] = [];
      const s = stand({
        maskEarlier: (secrets) => {
          asked.push(secrets);
          return Promise.resolve();
        },
      });
      const again = 'echo "API_TOKEN=one-secret" >>"$LIFEHOOK_ENV"';
      const more = 'echo "NEXT_TOKEN=other-secret" >>"$LIFEHOOK_ENV"';
      await s.run([shell(again), shell(again), shell(`${again}; ${more}`)]);
      expect(asked).toEqual([['one-secret'], ['other-secret']]);
    });

    test('and so are those whose names the hook declares', async () => {
      const s = stand();
      const script = 'V=hunter22-this-run; echo "MINE=$V" >>"$LIFEHOOK_ENV"; echo "it is $V"';
      await s.run([shell(script, { address: 'a', policy: { secrets: ['MINE'] } })]);
      expect(s.lines()).toEqual(['a: it is ***']);
    });
  });

  test('PIPE-CASE35: a sync hook gets its files as a JSON list too', async () => {
    const s = stand();
    const phase = {
      kind: 'sync',
      image: 'w:1',
      context: '/p',
      modified: ['/p/a;b'],
      deleted: [],
    } as const;
    const contract = makeContract({
      session: { workDir: '/p', profiles: [] },
      phase,
      compat: false,
    });
    await s.run(
      [shell('cat "$LIFEHOOK_SYNC_FILES_JSON"; echo; echo "$SYNC_FILES"', { address: 'a' })],
      { contract },
    );
    expect(s.lines()).toEqual(['a: ["/p/a;b"]', 'a: /p/a;b']);
  });
});

describe('render hooks', () => {
  const change = { action: { withChange: true }, phase: 'render', when: 'after' } as const;
  const plain = { phase: 'render', when: 'after' } as const;

  test('PIPE-CASE37: with withChange edit the manifests in turn, and without it change nothing', async () => {
    const s = stand();
    const result = await s.run(
      [
        shell('sed s/one/two/', { ...change, address: 'a' }),
        shell('echo printed', { ...plain, address: 'b' }),
        shell('sed s/two/three/', { ...change, address: 'c' }),
      ],
      { manifests: 'kind: one\n' },
    );
    expect(result.manifests).toBe('kind: three\n');
    // Manifests may contain secrets, so they are neither shown nor recorded.
    expect(s.lines()).toEqual(['b: printed']);
    expect(JSON.stringify(s.ledger.records)).not.toContain('three');
  });

  test('PIPE-CASE38: with withChange fail when they print nothing and do not read their input (PIPE-B3)', async () => {
    const s = stand();
    const manifests = `kind: x\n`.repeat(50_000);
    const result = await s.run([hostHook(['true'], change)], { manifests });
    expect(result).toMatchObject({ outcome: 'Failed', exitCode: 1, manifests });
    expect(result.failure?.message).toContain('it printed nothing');
  });

  test('PIPE-CASE38: fail with their own exit code when they do not read their input (PIPE-B3)', async () => {
    const manifests = `kind: x\n`.repeat(50_000);
    for (let turn = 0; turn < 5; turn += 1) {
      expect(await stand().run([shell('exit 7', change)], { manifests })).toMatchObject({
        exitCode: 7,
      });
    }
  });

  test('PIPE-CASE39: with withChange have their stderr in the output and not in the manifests (PIPE-B5)', async () => {
    const s = stand();
    const result = await s.run([shell('echo "warn: x" >&2; cat', { ...change, address: 'a' })], {
      manifests: 'kind: é\n',
    });
    expect(result.manifests).toBe('kind: é\n');
    expect(s.lines()).toEqual(['a: warn: x']);
  });

  test('PIPE-CASE41: before render have their stdout in the output and return no manifests (PIPE-B4)', async () => {
    const s = stand();
    const result = await s.run([shell('echo hello', { phase: 'render', address: 'a' })]);
    expect(result).not.toHaveProperty('manifests');
    expect(s.lines()).toEqual(['a: hello']);
  });
});
