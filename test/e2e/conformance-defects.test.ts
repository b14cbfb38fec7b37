import { execFile } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { defects } from '../conformance/defects.ts';

const ROOT = join(import.meta.dirname, '../..');
const COPIED = ['src', 'packages', 'test/conformance', 'package.json', 'tsconfig.json'];
const RUN_TIMEOUT_MS = 290_000;

let copy: string;

beforeAll(async () => {
  copy = await mkdtemp(join(tmpdir(), 'lifehook-defects-'));
  for (const path of COPIED) await cp(join(ROOT, path), join(copy, path), { recursive: true });
  await symlink(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
});

afterAll(async () => {
  await rm(copy, { recursive: true });
});

/** `conformance.test.ts` shows that each of these scenarios passes on the unchanged server. */
describe('the conformance suite on a deliberately broken server', () => {
  it.each(defects)('detects $name', async ({ file, text, by, pattern, reported }) => {
    const path = join(copy, file);
    const original = await readFile(path, 'utf8');
    expect(original.split(text)).toHaveLength(2);
    await writeFile(
      path,
      original.replace(text, () => by),
    );
    try {
      expect(await runSuite(pattern)).toMatch(reported);
    } finally {
      await writeFile(path, original);
    }
  });
});

function runSuite(pattern: string): Promise<string> {
  const program = [join('node_modules', 'tsx', 'dist', 'cli.mjs'), 'test/conformance/main.ts'];
  const options = { cwd: copy, timeout: RUN_TIMEOUT_MS };
  return new Promise((resolve) => {
    // The exit code is ignored, because it always agrees with the output.
    execFile(process.execPath, [...program, pattern], options, (_error, stdout, stderr) => {
      resolve(stdout + stderr);
    });
  });
}
