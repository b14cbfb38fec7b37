import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

import { authPlugin, nodeAuthPlugin } from './node-auth-plugin.ts';
import { nodeTimers } from './timers.ts';

it('nodeAuthPlugin keeps the credentials of the program while they are valid, unless it is asked anew', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'plugin-'));
  try {
    const program = join(folder, 'login.mjs');
    writeFileSync(
      program,
      `import { appendFileSync } from 'node:fs';
appendFileSync(${JSON.stringify(join(folder, 'calls'))}, process.env.SAID + '\\n');
const status = { token: 'abc', clientCertificateData: 'CERT', clientKeyData: 'KEY', expirationTimestamp: '2999-01-01T00:00:00Z' };
console.log(JSON.stringify({ kind: 'ExecCredential', status }));`,
    );
    const exec = {
      apiVersion: 'client.authentication.k8s.io/v1',
      command: process.execPath,
      args: [program],
      env: [{ name: 'SAID', value: 'hello' }],
    };
    const ask = nodeAuthPlugin({ name: 'me', exec });
    const expected = { authorization: 'Bearer abc', cert: 'CERT', key: 'KEY' };
    expect(await ask()).toEqual(expected);
    expect(await ask()).toEqual(expected);
    expect(readFileSync(join(folder, 'calls'), 'utf8')).toBe('hello\n');
    expect(await ask('anew')).toEqual(expected);
    expect(readFileSync(join(folder, 'calls'), 'utf8')).toBe('hello\nhello\n');
    const failing = nodeAuthPlugin({
      name: 'me',
      exec: { ...exec, args: [join(folder, 'none.mjs')] },
    });
    await expect(failing()).rejects.toThrow(/none.mjs/);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

it('nodeAuthPlugin gives the program no input, so that a program that waits for a password ends', async () => {
  const script = 'read -r word || word=none; echo "{\\"status\\": {\\"token\\": \\"$1 $word\\"}}"';
  const exec = { command: 'sh', args: ['-c', script, 'login', 'a b'] };
  const ask = nodeAuthPlugin({ name: 'me', exec });
  expect(await ask()).toMatchObject({ authorization: 'Bearer a b none' });
});

it('nodeAuthPlugin runs the program with the PATH that the kubeconfig sets for it', async () => {
  const script = 'echo "{\\"status\\": {\\"token\\": \\"$PATH\\"}}"';
  const env = [{ name: 'PATH', value: '/no/programs' }];
  const exec = { command: '/bin/sh', args: ['-c', script], env };
  const ask = nodeAuthPlugin({ name: 'me', exec });
  expect(await ask()).toMatchObject({ authorization: 'Bearer /no/programs' });
});

it('shows the stderr of the program while it runs, with the code of a login', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'plugin-'));
  try {
    const entered = join(folder, 'entered');
    // The program waits until the user has entered the code.
    const script =
      'echo "enter the code 42" >&2; until [ -e "$1" ]; do sleep 0.01; done; echo "{\\"status\\": {\\"token\\": \\"t\\"}}"';
    const exec = { command: 'sh', args: ['-c', script, 'login', entered] };
    let shown = '';
    const show = (text: string): void => {
      shown += text;
      writeFileSync(entered, '');
    };
    const ask = authPlugin({ show, warn: () => undefined, timers: nodeTimers })({
      name: 'me',
      exec,
    });
    expect(await ask()).toMatchObject({ authorization: 'Bearer t' });
    expect(shown).toBe('enter the code 42\n');
  } finally {
    rmSync(folder, { recursive: true });
  }
});

it('gives the program each variable of the kubeconfig, whatever its name is', async () => {
  const code =
    'console.log(JSON.stringify({ status: { token: process.env["login.name"] ?? "none" } }))';
  const env = [{ name: 'login.name', value: 'ada' }];
  const exec = { command: process.execPath, args: ['-e', code], env };
  const ask = nodeAuthPlugin({ name: 'me', exec });
  expect(await ask()).toMatchObject({ authorization: 'Bearer ada' });
});

it('says once which program it waits for, and goes on waiting', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'plugin-'));
  try {
    const released = join(folder, 'released');
    const script =
      'until [ -e "$1" ]; do sleep 0.01; done; echo "{\\"status\\": {\\"token\\": \\"t\\"}}"';
    const exec = { command: 'sh', args: ['-c', script, 'login', released] };
    const warnings: string[] = [];
    const waits: number[] = [];
    let cancelled = 0;
    const ask = authPlugin({
      show: () => undefined,
      warn: (text) => {
        warnings.push(text);
        writeFileSync(released, '');
      },
      timers: {
        after: (ms, callback) => {
          waits.push(ms);
          setImmediate(callback);
          return () => {
            cancelled += 1;
          };
        },
      },
    })({ name: 'me', exec });
    expect(await ask()).toMatchObject({ authorization: 'Bearer t' });
    expect(warnings).toEqual([
      'the credential plugin "sh" of the user me in the kubeconfig has not answered for 30 s. Requests wait until it ends, since it may wait for a login in a browser. If it hangs, end it',
    ]);
    expect([waits, cancelled]).toEqual([[30_000], 1]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

it('says which program it waits for also when that has exited, and a child of it keeps its output open', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'plugin-'));
  try {
    const released = join(folder, 'released');
    // In the background, $$ is the process id of the plugin itself.
    const script =
      '{ while kill -0 $$; do sleep 0.01; done; echo gone >&2; until [ -e "$1" ]; do sleep 0.01; done; } & echo "{\\"status\\": {\\"token\\": \\"t\\"}}"';
    const exec = { command: 'sh', args: ['-c', script, 'login', released] };
    const warnings: string[] = [];
    let whenSilent: (() => void) | null = null;
    const ask = authPlugin({
      show: (text) => {
        if (!text.includes('gone')) return;
        whenSilent?.();
        writeFileSync(released, '');
      },
      warn: (text) => {
        warnings.push(text);
      },
      timers: {
        after: (_, callback) => {
          whenSilent = callback;
          return () => {
            whenSilent = null;
          };
        },
      },
    })({ name: 'me', exec });
    expect(await ask()).toMatchObject({ authorization: 'Bearer t' });
    expect(warnings).toHaveLength(1);
    expect(whenSilent).toBeNull();
  } finally {
    rmSync(folder, { recursive: true });
  }
});

/** Asks once, then opens files until there are no descriptors left, and asks again. The credentials are expired. */
const ASK_WITHOUT_DESCRIPTORS = `
import { closeSync, openSync } from 'node:fs';
import { nodeAuthPlugin } from './src/platform/node-auth-plugin.ts';
const status = { token: 't', expirationTimestamp: '2000-01-01T00:00:00Z' };
const exec = { command: 'echo', args: [JSON.stringify({ status })] };
const ask = nodeAuthPlugin({ name: 'me', exec });
await ask();
const open = [];
try { for (;;) open.push(openSync('/dev/null')); } catch {}
const asked = await ask().catch(({ message }) => message);
for (const each of open) closeSync(each);
await new Promise(setImmediate);
console.log(asked, (await ask()).authorization);
`;

it('rejects, and ends no process, while file descriptors are short', async () => {
  const script = 'ulimit -n 500; exec "$0" --import tsx --input-type=module -e "$1"';
  const argv = ['-c', script, process.execPath, ASK_WITHOUT_DESCRIPTORS];
  const { stdout } = await promisify(execFile)('sh', argv, {
    cwd: join(import.meta.dirname, '../..'),
  });
  expect(stdout).toBe('cannot start the credential plugin "echo": too many open files Bearer t\n');
});

it('ends a program that hangs at each interruption, and starts none after the last one', async () => {
  const [first, last] = [new AbortController(), new AbortController()];
  const signals = [first.signal, last.signal];
  // The child keeps the output open for a moment when the program itself has been ended.
  const child = '(while kill -0 $$; do sleep 0.01; done) 2>/dev/null &';
  const exec = { command: 'sh', args: ['-c', `echo waiting >&2; ${child} wait`] };
  let interrupt = first;
  const show = (): void => {
    interrupt.abort();
  };
  const ask = authPlugin({ show, warn: () => undefined, timers: nodeTimers, signals })({
    name: 'me',
    exec,
  });
  await expect(ask()).rejects.toThrow('this command was interrupted');
  interrupt = last;
  await expect(ask('anew')).rejects.toThrow('this command was interrupted');
  await expect(ask('anew')).rejects.toThrow('this command was interrupted');
});

it('answers without an interruption, and after the first one', async () => {
  const [first, last] = [new AbortController(), new AbortController()];
  const script = 'echo "{\\"status\\": {\\"token\\": \\"t\\"}}"';
  const surroundings = { show: () => undefined, warn: () => undefined, timers: nodeTimers };
  const signals = [first.signal, last.signal];
  const ask = authPlugin({ ...surroundings, signals })({
    name: 'me',
    exec: { command: 'sh', args: ['-c', script] },
  });
  expect(await ask()).toMatchObject({ authorization: 'Bearer t' });
  first.abort();
  expect(await ask('anew')).toMatchObject({ authorization: 'Bearer t' });
});
