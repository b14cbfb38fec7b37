import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { nodeKeeping } from './node-keeping.ts';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lifehook-keeping-'));
});

afterEach(() => {
  rmSync(folder, { recursive: true });
});

describe('the supervisor socket under Node', () => {
  it('is refused at once when a file has its name, and keeps that file', () => {
    writeFileSync(join(folder, 's'), 'barred');
    const listen = (): void => {
      nodeKeeping.listen(join(folder, 's'), () => undefined);
    };
    expect(listen).toThrow(expect.objectContaining({ code: 'EADDRINUSE' }));
    expect(readdirSync(folder)).toEqual(['s']);
  });
});
