import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { requireFolder } from './require-folder.ts';

let parent = '';

beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), 'lifehook-require-'));
  mkdirSync(join(parent, 'records'));
  writeFileSync(join(parent, 'file'), '');
});

afterEach(() => {
  rmSync(parent, { recursive: true });
});

describe('a directory that an option names', () => {
  it('is returned where it exists', () => {
    expect(requireFolder('--records', join(parent, 'records'))).toBe(join(parent, 'records'));
  });

  it('is refused with the nearest name where it does not', () => {
    const path = join(parent, 'recrods');
    expect(() => requireFolder('--records', path)).toThrow(
      `LHG015: Cannot read the directory of --records, ${path}: it does not exist.`,
    );
    expect(() => requireFolder('--records', path)).toThrow(`Did you mean ${parent}/records?`);
  });

  it('is refused without its own name as the nearest one', () => {
    writeFileSync(join(parent, 'record'), '');
    expect(() => requireFolder('--records', join(parent, 'record'))).toThrow(
      `it is a file. Next: Did you mean ${parent}/records? Correct the path`,
    );
    writeFileSync(join(parent, 'timeline'), '');
    expect(() => requireFolder('--records', join(parent, 'timeline'))).toThrow(
      'it is a file. Next: Correct the path',
    );
  });

  it('is refused where it is a file, and in one', () => {
    expect(() => requireFolder('--project', join(parent, 'file'))).toThrow('it is a file');
    expect(() => requireFolder('--project', join(parent, 'file', 'a'))).toThrow('ENOTDIR');
  });
});
