import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { expect, it } from 'vitest';

import { nodeAuthPlugin } from './node-auth-plugin.ts';

it('nodeAuthPlugin runs the program and keeps its credentials while they are valid', async () => {
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
    const failing = nodeAuthPlugin({
      name: 'me',
      exec: { ...exec, args: [join(folder, 'none.mjs')] },
    });
    await expect(failing()).rejects.toThrow(/none.mjs/);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
